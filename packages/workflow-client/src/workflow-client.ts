import { createApiClient, type ApiClient, type ApiClientOptions } from '@weir/api-client';
import type { Paths } from './schemas';

export type WorkflowClientOptions = Omit<ApiClientOptions, 'headers'>;

export type WorkflowClient = ApiClient<Paths>;

/**
 * Calls of the workflow server by method and path. A call resolves with the body and the response of a success. It
 * rejects with `ApiError` for any other response, and otherwise with what `fetch` throws: a `TypeError` when the server
 * cannot be reached, the reason of the signal when it is aborted.
 */
export function createWorkflowClient(options: WorkflowClientOptions): WorkflowClient {
  // A page of another origin cannot send it, which tells the server that a GET with an effect is not an image of one.
  return createApiClient<Paths>({ ...options, headers: { 'x-requested-with': 'weir' } });
}
