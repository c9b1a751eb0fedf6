import { actionFailed } from '../../model/steps/action-errors';

/** Timers cannot be longer; a longer limit counts as none. */
const longestTimerMs = 2_147_483_647;

/** Runs the work with a signal that is also aborted after the time limit. 0 is no limit. */
export async function withTimeLimit<T>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (milliseconds === 0 || milliseconds > longestTimerMs) return work(signal);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await work(AbortSignal.any([signal, controller.signal]));
  } catch (error) {
    if (!controller.signal.aborted || signal.aborted) throw error;
    throw actionFailed(`There was no complete response within ${milliseconds / 1_000} seconds.`, error);
  } finally {
    clearTimeout(timer);
  }
}
