import { isAppError } from '@weir/errors';
import type { WorkflowClient } from '@weir/workflow-client';
import { connectToServer, isClaimed, type ServerConnection } from '../../local-api';
import type { StoreCommand } from './program-host';

/**
 * Calls the API of this installation: of the server that has the database, or of this process, which opens it then.
 * What `work` does, and what it throws, is the same either way.
 */
export async function withApi<Result>(
  command: StoreCommand,
  work: (client: WorkflowClient) => Promise<Result>,
): Promise<Result> {
  return onServerOrHere(command, {
    onServer: ({ client }) => work(client),
    here: async () => {
      const { withOwnApplication } = await import('../../parts/server.js');
      return withOwnApplication(command, ({ client }) => work(client));
    },
  });
}

export interface Alternatives<Result> {
  readonly onServer: (server: ServerConnection) => Promise<Result>;
  /** Throws `database_in_use` before it does anything when another process has the database. */
  readonly here: () => Promise<Result>;
}

/** The server is asked first where there seems to be one: opening the database takes longer, and would fail. */
export async function onServerOrHere<Result>(
  { config }: StoreCommand,
  { onServer, here }: Alternatives<Result>,
): Promise<Result> {
  const claimant = isClaimed(config) ? await connectToServer(config) : undefined;
  if (claimant !== undefined) return onServer(claimant);
  try {
    return await here();
  } catch (error) {
    if (!isAppError(error) || error.reason !== 'database_in_use') throw error;
    const server = await connectToServer(config);
    // The refusal names the process that has the database.
    if (server === undefined) throw error;
    return onServer(server);
  }
}
