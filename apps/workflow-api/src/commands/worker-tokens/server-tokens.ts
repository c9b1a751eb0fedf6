import type { Schemas } from '@weir/workflow-client';
import type { StoreCommand } from '../shared/program-host';
import { withApi } from '../shared/with-api';
import { assertTokenName, printTokens, type ListCommand, type ListedToken } from './token-list';

interface NamedToken extends StoreCommand {
  readonly name: string;
}

/** Prints what a person pastes where the worker runs. Returns the exit code. Throws `worker_token_name_invalid`. */
export async function createServerToken(command: NamedToken): Promise<number> {
  const { config, name, print, printError } = command;
  assertTokenName(name);
  const { labels } = config.worker;
  const { data } = await withApi(command, (client) => client.POST('/worker-tokens', { body: { name, labels } }));
  print(`WEIR_SERVER_URL=${serverUrl(command)}\nWEIR_WORKER_TOKEN=${data.token}`);
  printError(
    `weir: these are the variables of the worker ${name}. The server stores the token nowhere: "weir worker-token revoke ${name} --https" ends it.`,
  );
  if (command.context === undefined && config.eventTargets.publicUrl === undefined) {
    printError('weir: other machines may reach this server at another address, which WEIR_PUBLIC_URL names.');
  }
  return 0;
}

/** Returns the exit code. */
export async function listServerTokens(command: StoreCommand & ListCommand): Promise<number> {
  printTokens(await readServerTokens(command), command);
  return 0;
}

export async function readServerTokens(command: StoreCommand): Promise<readonly ListedToken[]> {
  const { data } = await withApi(command, (client) => client.GET('/worker-tokens'));
  return data.workerTokens.map((token: Schemas['WorkerToken']) => ({ kind: 'server', ...token }));
}

/** Returns the exit code. Throws `worker_token_not_found`. */
export async function revokeServerToken(command: NamedToken): Promise<number> {
  const { name, print } = command;
  await withApi(command, (client) => client.DELETE('/worker-tokens/{name}', { params: { path: { name } } }));
  print(`The worker token ${name} is revoked.`);
  return 0;
}

/** The address of the server without that of its API. */
function serverUrl({ context, config }: StoreCommand): string {
  if (context) return context.url.replace(/\/api\/v1$/, '');
  const { host, port, basePath, eventTargets } = config;
  return eventTargets.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`;
}
