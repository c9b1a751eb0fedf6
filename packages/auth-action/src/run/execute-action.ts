import { causeChain, isAppError } from '@weir/foundation';
import type { ActionsRuntime } from '../runner/actions-runtime';
import type { Core } from './create-actions-runtime';

export interface ExecuteActionOptions {
  readonly core: Pick<Core, 'debug' | 'error'>;
  readonly runtime: ActionsRuntime;
  readonly run: (runtime: ActionsRuntime) => Promise<void>;
  /** Reports an uncaught exception of the process. */
  readonly onUncaught: (listener: (error: unknown) => void) => void;
  /** Ends the process, even while idle connections are open. */
  readonly exit: (exitCode: number) => void;
}

/** Runs the action and exits: a failure becomes one error annotation and exit code 1. Never rejects. */
export async function executeAction({ core, runtime, run, onUncaught, exit }: ExecuteActionOptions): Promise<void> {
  const uncaught = new Promise<never>((_resolve, reject) => onUncaught(reject));
  try {
    await Promise.race([run(runtime), uncaught]);
    exit(0);
  } catch (error) {
    for (const link of causeChain(error)) core.debug(link instanceof Error ? String(link.stack) : String(link));
    core.error(isAppError(error) ? error.message : formatUnexpected(error));
    exit(1);
  }
}

function formatUnexpected(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `The action failed with an unexpected error: ${text} This is a bug in the action: please report it, with the debug log of a run with RUNNER_DEBUG=1.`;
}
