import type { StepOutcome } from '../../model/steps/step-outcome';
import { failureText } from './failure-text';
import { readLogTail } from '../logs/log-files';
import type { StepCommand } from './step-command';
import type { ProcessEnd, StartedProcess } from './supervise-process';

const stderrTailBytes = 1024;
/** The exit code of a process that a signal ended. */
export const signalledExitCode = -1;
export const abortedOutcome: StepOutcome = { status: 'aborted', error: 'run stopped' };
export const logLimitOutcome: StepOutcome = {
  status: 'failed',
  error: 'The step wrote more than its log may contain.',
};

/** Converts the end of a process to the outcome of its command; the end of its output explains a failure. */
export async function toCommandOutcome(
  end: ProcessEnd,
  { stderrFile }: Pick<StepCommand, 'stderrFile'>,
  { stderrStartBytes }: Pick<StartedProcess, 'stderrStartBytes'>,
): Promise<StepOutcome> {
  const exit = toExitFields(end);
  if (!end.isGroupGone) {
    const status = end.isAborted ? 'aborted' : 'failed';
    return { ...exit, status, error: 'A process of the step could not be ended.' };
  }
  if (end.isAborted) return { ...exit, ...abortedOutcome };
  if (end.exit === undefined || end.exit.exitCode === 0) return { ...exit, status: 'succeeded' };
  const tail = await readLogTail(stderrFile, stderrStartBytes, stderrTailBytes);
  return { ...exit, status: 'failed', error: failureText(end.exit, tail) };
}

function toExitFields({ exit }: ProcessEnd): Pick<StepOutcome, 'exitCode' | 'signal'> {
  if (exit === undefined) return {};
  const { exitCode, signal } = exit;
  if (signal !== null) return { exitCode: signalledExitCode, signal };
  return exitCode === null ? {} : { exitCode };
}
