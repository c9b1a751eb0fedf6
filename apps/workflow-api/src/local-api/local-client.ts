import type { Duplex } from 'node:stream';
import { createWorkflowClient, type WorkflowClient } from '@weir/workflow-client';
import { createStreamFetch } from './stream-fetch';

/** The API's client over connections that `connect` opens. */
export function createLocalClient(connect: () => Duplex): WorkflowClient {
  return createWorkflowClient({
    // The host is not looked up; only the path is sent.
    baseUrl: 'http://localhost/api/v1',
    fetch: createStreamFetch(connect),
  });
}
