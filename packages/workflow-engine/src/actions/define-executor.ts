import { mkdir } from 'node:fs/promises';
import { isAppError } from '@weir/errors';
import { checkActionInput } from '@weir/workflow-spec';
import type { StepOutcome } from '../scope/step-ports';
import { workingFolderUnusable } from '../local-command/command-errors';
import type { CommandContext } from '../local-command/step-command';
import type { ActionCall, ActionExecutor } from './action-executor';
import { openActionLog, type ActionLog } from './action-log';
import { actionSettings, type ActionSettings } from './action-settings';

export interface ActionWork {
  readonly call: ActionCall;
  readonly settings: ActionSettings;
  readonly context: CommandContext;
  readonly signal: AbortSignal;
  readonly log: ActionLog;
}

const stopped: StepOutcome = { status: 'aborted', error: 'run stopped' };

/**
 * An action around the work that is its own. The work throws an `AppError` to fail the step with its message, and may
 * throw anything once the signal is aborted; without an outcome it has succeeded.
 */
export function defineExecutor(work: (work: ActionWork) => Promise<StepOutcome | undefined>): ActionExecutor {
  return {
    async execute(call, context) {
      if (context.signal.aborted) return stopped;
      const { signal } = context;
      const { with: input, problems } = checkActionInput(call.action, call.with);
      if (problems.length > 0) return { status: 'failed', error: `${call.action}: ${problems.join('; ')}` };
      try {
        await prepareFolder(call.cwd);
        return await withLog(call, async (log) => {
          const outcome = await work({ call, settings: actionSettings(input), context, signal, log });
          return outcome ?? { status: 'succeeded' };
        });
      } catch (error) {
        if (signal.aborted) return { ...stopped, cause: error };
        if (!isAppError(error)) throw error;
        return { status: 'failed', error: error.message, cause: error };
      }
    },
  };
}

async function withLog<T>(call: ActionCall, use: (log: ActionLog) => Promise<T>): Promise<T> {
  const log = openActionLog(call);
  try {
    return await use(log);
  } finally {
    log.close();
  }
}

async function prepareFolder(cwd: string): Promise<void> {
  try {
    await mkdir(cwd, { recursive: true });
  } catch (error) {
    throw workingFolderUnusable(error);
  }
}
