import { isAppError } from '@weir/foundation';
import { failureText } from '../local-command/failure-text';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { ActionLog } from '../logs/action-log';
import { readEngineMessage } from './engine-errors';
import type { ContainerEnd } from './exec-in-container';

const stopped: StepOutcome = { status: 'aborted', error: 'run stopped' };

export function toOutcome(end: ContainerEnd | undefined, signal: AbortSignal): StepOutcome {
  if (end === undefined) return { status: 'aborted', error: 'run stopped, but the engine did not report the end' };
  const { exitCode, stderrTail } = end;
  if (signal.aborted) return { ...stopped, exitCode };
  if (exitCode === 0) return { status: 'succeeded', exitCode };
  return { status: 'failed', exitCode, error: failureText({ exitCode, signal: null }, stderrTail) };
}

/** Outcome of an engine failure; the engine's own message goes to the log of the step. */
export function toFailureOutcome(
  error: unknown,
  { signal, log }: { signal: AbortSignal; log: Pick<ActionLog, 'note'> },
) {
  if (signal.aborted) return { ...stopped, cause: error };
  if (!isAppError(error)) throw error;
  const words = readEngineMessage(error);
  if (words !== undefined) log.note(words);
  return { status: 'failed', error: error.message, cause: error } satisfies StepOutcome;
}
