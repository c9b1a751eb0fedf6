import { isAborted, ServerUnreachable } from '@weir/ui-kit/app';
import { isApiError, type ApiError } from '@weir/workflow-client';

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
