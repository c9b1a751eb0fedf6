import { actionFailed } from '../action-errors';

/** Longer limits than a timer can take are none: ten years are not waited for. */
const longestTimerMs = 2_147_483_647;

/** Gives the work a signal that also a time limit aborts; 0 is no limit. Rejects by name of the limit. */
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
    throw actionFailed(`There was no whole answer within ${milliseconds / 1_000} seconds.`, error);
  } finally {
    clearTimeout(timer);
  }
}
