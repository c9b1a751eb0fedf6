import { createWorkflowClient, type WorkflowClient } from '@weir/workflow-client';
import { connectToServer, isClaimed, type ServerConnection } from '../../local-api';
import type { Context } from './context-file';
import type { StoreCommand } from './program-host';

/**
 * Calls the API of this installation: the API of its server, or of this process, which then opens the database. The
 * results and errors of `work` are the same either way.
 */
export async function withApi<Result>(
  command: StoreCommand,
  work: (client: WorkflowClient) => Promise<Result>,
): Promise<Result> {
  const server = await findServer(command);
  if (server !== undefined) return work(server.client);
  const { withOwnApplication } = await command.loadOwnStore();
  return withOwnApplication(command, ({ client }) => work(client()));
}

/** Opening the database takes longer than a request, so a server is searched first. */
export async function findServer({ config, context }: StoreCommand): Promise<ServerConnection | undefined> {
  if (context) return connectToContext(context);
  return isClaimed(config) ? connectToServer(config) : undefined;
}

/** A server on another machine, which executes runs itself or has workers. */
export function connectToContext({ url, apiKey }: Context): ServerConnection {
  return { client: createWorkflowClient({ baseUrl: url, token: () => apiKey }), roles: ['worker'] };
}
