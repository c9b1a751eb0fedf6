import type { Duplex } from 'node:stream';
import { createClient, type Client } from '@weir/http-contract';
import { workflowContract } from '@weir/workflow-contract';
import { createStreamFetch } from './stream-fetch';

export type WorkflowClient = Client<typeof workflowContract>;

/** The API's client over connections that `connect` opens. */
export function createLocalClient(connect: () => Duplex): WorkflowClient {
  return createClient(workflowContract, {
    // The host is not looked up; only the path is sent.
    baseUrl: 'http://localhost/api/v1',
    fetch: createStreamFetch(connect),
  });
}
