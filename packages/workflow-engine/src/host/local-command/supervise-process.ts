import type { ProcessIdentity } from '../../model/steps/step-outcome';
import type { ProcessExit } from '../spawner/process-exit';
import { endProcessFamily, endProcessGroup } from './process-group';

export interface StartedProcess {
  readonly pid: number;
  /** Must be called at once: after the process has been reaped it may be too late. */
  readonly identity: () => Promise<ProcessIdentity | undefined>;
  readonly exit: Promise<ProcessExit>;
  /** Size of the stderr file when the process started. */
  readonly stderrStartBytes: number;
  /** Must be called once the process and its group have ended. Resolves when all output is in the files. */
  readonly drained: () => Promise<void>;
}

export interface ProcessEnd {
  /** Missing when the process could not be killed. */
  readonly exit?: ProcessExit;
  /** Whether the abort came before the process ended. */
  readonly isAborted: boolean;
  /** Whether everything that was to end with the process is gone. */
  readonly isGroupGone: boolean;
}

interface SuperviseOptions {
  readonly killGraceMs: number;
  readonly stopSignal: NodeJS.Signals;
  /** The first process of the step; with an abort, everything that it left behind ends too. Default: `started`. */
  readonly first?: ProcessIdentity | undefined;
}

/**
 * Waits for the process, or ends it when `signal` is aborted: then with everything that the step has started, as far as
 * the system allows. What a process leaves in the background goes on after its success; after a failure, only what left
 * its group does.
 */
export async function superviseProcess(
  { pid, exit }: StartedProcess,
  signal: AbortSignal,
  { killGraceMs, stopSignal, first }: SuperviseOptions,
): Promise<ProcessEnd> {
  const exitBeforeAbort = await exitOrAbort(exit, signal);
  if (exitBeforeAbort?.exitCode === 0) return { exit: exitBeforeAbort, isAborted: false, isGroupGone: true };
  if (exitBeforeAbort !== undefined) {
    // The stop signal of the step is for a stop. What a failed process leaves behind gets SIGTERM.
    const isGroupGone = await endProcessGroup(pid, killGraceMs);
    return { exit: exitBeforeAbort, isAborted: false, isGroupGone };
  }
  const isGroupGone = await endProcessFamily(pid, killGraceMs, { stopSignal, first });
  return isGroupGone ? { exit: await exit, isAborted: true, isGroupGone } : { isAborted: true, isGroupGone };
}

/** `undefined` when the abort came first. */
function exitOrAbort(exit: Promise<ProcessExit>, signal: AbortSignal): Promise<ProcessExit | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
      return;
    }
    const onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    void exit.then((ended) => {
      signal.removeEventListener('abort', onAbort);
      resolve(ended);
    });
  });
}
