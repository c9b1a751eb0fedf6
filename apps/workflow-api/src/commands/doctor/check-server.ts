import { stat } from 'node:fs/promises';
import { isLoopbackHost } from '@weir/foundation';
import { findPendingMigrations, parseDatabaseUrl } from '@weir/workflow-db';
import { openStepIsolation } from '../../features/worker/step-isolation';
import { quietLogger } from '../serve/quiet-logger';
import type { StoreCommand } from '../shared/program-host';
import { findServer } from '../shared/with-api';
import type { Check } from './check';

type Finding = Omit<Check, 'name'>;

/** Reads a part of the database without opening it as the server does, because that would migrate it. */
export async function checkDatabase({ config, migrationsFolder, version }: StoreCommand): Promise<Finding> {
  const location = parseDatabaseUrl(config.database.url.reveal());
  if (location.provider === 'sqlite') {
    const found = await stat(location.file).catch(() => undefined);
    if (found === undefined) return { result: 'warning', detail: `${location.file} does not exist yet` };
  }
  const pending = await findPendingMigrations({ location, folder: migrationsFolder, version });
  const detail = location.provider === 'sqlite' ? location.file : 'PostgreSQL answers';
  if (pending.length === 0) return { result: 'ok', detail };
  return { result: 'warning', detail: `${detail}; the next start migrates it (${pending.join(', ')})` };
}

export async function checkServer(command: StoreCommand): Promise<Finding> {
  const { host, port } = command.config;
  const server = await findServer(command);
  if (server !== undefined) return { result: 'ok', detail: `runs: ${server.roles.join(', ')}` };
  const detail = `none runs on this database of this machine; "weir start-all" would listen on ${host}:${port}`;
  return { result: 'warning', detail };
}

export function checkSignIn({ config }: StoreCommand): Promise<Finding> {
  const { auth, host } = config;
  if (auth.mode !== 'none') return Promise.resolve({ result: 'ok', detail: 'users and API keys' });
  const isOpen = !isLoopbackHost(host);
  const detail = isOpen
    ? `disabled, and WEIR_HOST=${host} lets other machines in`
    : 'disabled; only this machine gets in';
  return Promise.resolve({ result: isOpen ? 'failed' : 'ok', detail });
}

export async function checkIsolationOfSteps(command: StoreCommand): Promise<Finding> {
  const state = await openStepIsolation({ ...command, logger: quietLogger(command), unavailableLevel: 'info' });
  if (state.kind === 'namespaces') return { result: 'ok', detail: 'steps are isolated from the secrets of the server' };
  const detail = 'steps can read what the server can; see WEIR_STEP_ISOLATION';
  return { result: 'warning', detail };
}
