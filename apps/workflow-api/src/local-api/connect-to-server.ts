import { existsSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { causeChain, isSystemError } from '@weir/foundation';
import type { Config } from '../config';
import type { WorkflowClient } from '@weir/workflow-client';
import { createLocalClient } from './local-client';

export interface ServerConnection {
  readonly client: WorkflowClient;
  /** The roles of the server; see `GET /health/live`. */
  readonly roles: readonly string[];
}

const noListenerCodes = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'EACCES'] as const;

/** Returns the socket over which commands of the same user reach the server of a SQLite database. */
export function controlSocket({ data }: Pick<Config, 'data'>): string {
  return path.join(data.folder, 'weir.sock');
}

/** Connects to the server of the installation. Returns `undefined` when no server can be reached over the control socket. */
export async function connectToServer(config: Pick<Config, 'data'>): Promise<ServerConnection | undefined> {
  const client = createLocalClient(() => connect(controlSocket(config)));
  try {
    const { roles = [] } = (await client.GET('/health/live')).data;
    return { client, roles };
  } catch (error) {
    if (causeChain(error).some((cause) => isSystemError(cause, ...noListenerCodes))) return undefined;
    throw error;
  }
}

/**
 * Whether a server seems to have claimed the SQLite file, without opening it. A claim that outlived its process does
 * no harm: no server listens then, and the file can be opened.
 */
export function isClaimed({ database }: Pick<Config, 'database'>): boolean {
  const url = database.url.reveal();
  if (!url.startsWith('file:')) return false;
  const file = url.slice('file:'.length);
  return existsSync(file) && existsSync(`${realpathSync(file)}.owner`);
}
