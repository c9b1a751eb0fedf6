import { AppError } from '@weir/foundation';
import { createWorkerToken, listWorkerTokens, parseDatabaseUrl, revokeWorkerToken } from '@weir/workflow-db';
import type { Config } from '../../config';
import type { ProgramHost, StoreCommand } from '../shared/program-host';
import { readServerTokens } from './server-tokens';
import { assertTokenName, printTokens, type ListCommand, type ListedToken } from './token-list';

interface NamedToken extends ProgramHost {
  readonly config: Config;
  readonly name: string;
}

/** Returns the exit code. Throws `worker_token_name_invalid`, and what `createWorkerToken` does. */
export async function createToken({ config, name, print, printError }: NamedToken): Promise<number> {
  assertTokenName(name);
  const { labels } = config.worker;
  print(await createWorkerToken(postgresUrl(config), { name, labels }));
  printError(
    `weir: this is the WEIR_DATABASE_URL of the worker ${name}. It is stored nowhere: "weir worker-token revoke ${name}" ends it.`,
  );
  return 0;
}

/** Prints the roles of the database, of which SQLite has none, and the tokens of its servers. Returns the exit code. */
export async function listTokens(command: StoreCommand & ListCommand): Promise<number> {
  const { config } = command;
  const roles = isPostgres(config) ? await listWorkerTokens(config.database.url.reveal()) : [];
  const ofDatabase = roles.map((role): ListedToken => ({ kind: 'database', ...role }));
  printTokens([...ofDatabase, ...(await readServerTokens(command))], command);
  return 0;
}

/** Returns the exit code. Throws `worker_token_not_found`. */
export async function revokeToken({ config, name, print }: NamedToken): Promise<number> {
  await revokeWorkerToken(postgresUrl(config), name);
  print(`The worker token ${name} is revoked.`);
  return 0;
}

function isPostgres({ database }: Config): boolean {
  return parseDatabaseUrl(database.url.reveal()).provider === 'postgresql';
}

function postgresUrl(config: Config): string {
  if (isPostgres(config)) return config.database.url.reveal();
  throw new AppError(
    'invalid_request',
    'Workers that share the database need PostgreSQL, which WEIR_DATABASE_URL names. With --https, they speak to a server.',
    { reason: 'postgresql_needed' },
  );
}
