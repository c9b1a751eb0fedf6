import { within } from '../concurrency/end-or-stop';
import { engineFailed, type EngineFailure } from './engine-errors';

/** Generous for an engine under load; a stuck one never responds. */
const answerWithinMs = 120_000;

/** The response of the engine; throws the failure when it refuses or does not respond in time. */
export async function withDeadline<T>(
  work: Promise<T>,
  failure: EngineFailure | ((error: unknown) => Error),
): Promise<T> {
  const fail = typeof failure === 'string' ? (error?: unknown) => engineFailed(failure, error) : failure;
  const answer = work.then(
    (value) => ({ value }),
    (error: unknown) => Promise.reject(fail(error)),
  );
  const answered = await within(answer, answerWithinMs);
  if (answered === undefined) throw fail(undefined);
  return answered.value;
}
