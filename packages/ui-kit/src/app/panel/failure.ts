import { isApiError, type ApiError } from '@weir/api-client';

/** No answer came: the server is down, or the network is. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';
}

/** Why a request has failed. */
export type Failure = ApiError | ServerUnreachable;

/** Resolves with the data of an answer. Rejects with a `Failure`, or with what a signal was aborted for. */
export async function unwrap<Data>(answer: Promise<{ readonly data: Data }>): Promise<Data> {
  try {
    return (await answer).data;
  } catch (error) {
    throw isApiError(error) || isAborted(error) ? error : new ServerUnreachable('No answer came.', { cause: error });
  }
}

/** The status of the answer, where one came. */
export function statusOf(error: unknown): number | undefined {
  return isApiError(error) ? error.status : undefined;
}

/** Whether the page itself has given the request up. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
