import { isApiError, type ApiError } from '@weir/api-client';

/** No answer came: the server or the network is down. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';
}

/** The reasons why a request can fail. */
export type Failure = ApiError | ServerUnreachable;

/** Resolves with the data of an answer. Rejects with a `Failure`, or with the reason of an abort. */
export async function unwrap<Data>(answer: Promise<{ readonly data: Data }>): Promise<Data> {
  try {
    return (await answer).data;
  } catch (error) {
    throw isApiError(error) || isAborted(error) ? error : new ServerUnreachable('No answer came.', { cause: error });
  }
}

/** Returns the status of the answer, if one came. */
export function statusOf(error: unknown): number | undefined {
  return isApiError(error) ? error.status : undefined;
}

/** Whether the page itself has aborted the request. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
