import type { Duplex } from 'node:stream';
import { createWorkflowClient, type WorkflowClient, type WorkflowClientOptions } from '@weir/workflow-client';
import { createStreamFetch } from './stream-fetch';

export interface LocalClientOptions extends Pick<WorkflowClientOptions, 'token'> {
  /** The base path of the server; empty on the control socket. Default: empty. */
  readonly basePath?: string;
}

/** Creates the API's client over connections that `connect` opens. */
export function createLocalClient(
  connect: () => Duplex,
  { basePath = '', ...options }: LocalClientOptions = {},
): WorkflowClient {
  return createWorkflowClient({
    ...options,
    // The host is not looked up; only the path is sent.
    baseUrl: `http://localhost${basePath}/api/v1`,
    fetch: createStreamFetch(connect),
  });
}
