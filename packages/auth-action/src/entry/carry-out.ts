import { causeChain, isAppError } from '@weir/errors';
import type { Workflow } from '../workflow';
import type { Core } from './create-workflow';

export interface CarryOutDeps {
  readonly core: Pick<Core, 'debug' | 'error'>;
  readonly workflow: Workflow;
  readonly run: (workflow: Workflow) => Promise<void>;
  /** Calls back with what was thrown where nobody could catch it. */
  readonly onStray: (listener: (error: unknown) => void) => void;
  /** Ends the process, also while idle connections are open. */
  readonly end: (exitCode: number) => void;
}

/** Runs the action to its end: a failure becomes one annotation and exit code 1. Never rejects. */
export async function carryOut({ core, workflow, run, onStray, end }: CarryOutDeps): Promise<void> {
  const stray = new Promise<never>((_resolve, reject) => onStray(reject));
  try {
    await Promise.race([run(workflow), stray]);
    end(0);
  } catch (error) {
    for (const link of causeChain(error)) core.debug(link instanceof Error ? String(link.stack) : String(link));
    core.error(isAppError(error) ? error.message : unexpected(error));
    end(1);
  }
}

function unexpected(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `The action failed in a way it does not know: ${text} This is a defect of the action: please report it, with the debug log of a run with RUNNER_DEBUG=1.`;
}
