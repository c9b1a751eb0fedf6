import { isAppError } from '@weir/errors';
import { StepLoop } from './step-loop';
import type { ScopeOutcome, StepLoopOptions } from './step-loop-options';

/**
 * Executes planned steps until all have ended. An attempt of a step is recorded as starting before it starts, and its
 * end is recorded before its dependents start; everything that happened in one tick goes to the recorder in one call.
 * When the recorder fails, running steps are aborted and awaited, and its error is thrown: no step ever runs unrecorded.
 */
export async function executeSteps(options: StepLoopOptions): Promise<ScopeOutcome> {
  const { signal, release } = options;
  const loop = new StepLoop(options);
  const onStop = () => loop.requestStop('stopped');
  const onRelease = () => loop.release();
  if (signal.aborted) onStop();
  if (release?.aborted === true) onRelease();
  signal.addEventListener('abort', onStop, { once: true });
  release?.addEventListener('abort', onRelease, { once: true });
  try {
    return await loop.run();
  } finally {
    signal.removeEventListener('abort', onStop);
    release?.removeEventListener('abort', onRelease);
  }
}

/** Whether the error says that a run was released for its next owner. */
export function isRunReleased(error: unknown): boolean {
  return isAppError(error) && error.reason === 'run_left';
}
