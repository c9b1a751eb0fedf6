import { AppError } from '@weir/foundation';
import { createWorkerToken, listWorkerTokens, parseDatabaseUrl, revokeWorkerToken } from '@weir/workflow-db';
import type { WorkerLabels } from '@weir/workflow-engine/model';
import type { Config } from '../../config';
import type { ListFormat } from '../shared/formats';
import type { ProgramHost } from '../shared/program-host';
import { printList } from '../shared/print-list';
import { formatTable } from '../shared/table';

interface TokenCommand extends ProgramHost {
  readonly config: Config;
}

interface NamedToken extends TokenCommand {
  readonly name: string;
}

interface ListCommand extends TokenCommand {
  readonly format: ListFormat;
}

// PostgreSQL would cut longer names of roles; its policies are named by this name and a verb.
const namePattern = /^[a-z][a-z0-9_-]{0,39}$/;

/** Returns the exit code. Throws `worker_token_name_invalid`, and what `createWorkerToken` does. */
export async function createToken({ config, name, print, printError }: NamedToken): Promise<number> {
  if (!namePattern.test(name)) throw nameInvalid(name);
  const { labels } = config.worker;
  print(await createWorkerToken(postgresUrl(config), { name, labels }));
  printError(
    `weir: this is the WEIR_DATABASE_URL of the worker ${name}. It is stored nowhere: "weir worker-token revoke ${name}" ends it.`,
  );
  return 0;
}

/** Returns the exit code. */
export async function listTokens({ config, format, print }: ListCommand): Promise<number> {
  const tokens = await listWorkerTokens(postgresUrl(config));
  const rows = tokens.map(({ name, labels }) => [name, formatLabels(labels)]);
  printList({ value: { tokens }, table: () => formatTable([['NAME', 'LABELS'], ...rows]) }, { format, print });
  return 0;
}

/** Returns the exit code. Throws `worker_token_not_found`. */
export async function revokeToken({ config, name, print }: NamedToken): Promise<number> {
  await revokeWorkerToken(postgresUrl(config), name);
  print(`The worker token ${name} is revoked.`);
  return 0;
}

function formatLabels(labels: WorkerLabels): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}

function postgresUrl({ database }: Config): string {
  const url = database.url.reveal();
  if (parseDatabaseUrl(url).provider === 'postgresql') return url;
  throw new AppError(
    'invalid_request',
    'Workers of other machines need a PostgreSQL database, which WEIR_DATABASE_URL names.',
    {
      reason: 'postgresql_needed',
    },
  );
}

function nameInvalid(name: string): AppError {
  const message = `${JSON.stringify(name)} is no name of a worker token: it has up to 40 small letters, digits, _ and -, and begins with a letter.`;
  return new AppError('invalid_request', message, { reason: 'worker_token_name_invalid' });
}
