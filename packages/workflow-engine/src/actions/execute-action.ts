import { mkdir } from 'node:fs/promises';
import { isAppError } from '@weir/errors';
import { checkSettings, type ExecutableActionName } from '@weir/workflow-spec';
import { workingFolderUnusable } from '../local-command/command-errors';
import type { CommandContext } from '../local-command/step-command';
import type { StepOutcome } from '../scope/step-ports';
import type { ActionCall, ActionExecutor, ActionServices } from './action-executor';
import { actionExecutors } from './action-executors';
import { openActionLog, type ActionLog } from './action-log';

const stopped: StepOutcome = { status: 'aborted', error: 'run stopped' };

/**
 * Executes the action that a step calls. Reports every expected failure as an outcome, whose error never holds a
 * setting; settles soon after the signal is aborted.
 */
export function executeAction(
  call: ActionCall,
  context: CommandContext,
  services: ActionServices,
): Promise<StepOutcome> {
  return executeNamed(call.action, call, { ...context, services });
}

interface Surroundings extends CommandContext {
  readonly services: ActionServices;
}

/** The type of the name couples the executor with its settings. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- used inside: the union of names would couple nothing
async function executeNamed<Name extends ExecutableActionName>(
  name: Name,
  call: ActionCall,
  surroundings: Surroundings,
): Promise<StepOutcome> {
  if (surroundings.signal.aborted) return stopped;
  const { signal } = surroundings;
  const checked = checkSettings(name, call.with);
  if ('problems' in checked) return { status: 'failed', error: `${name}: ${checked.problems.join('; ')}` };
  const executor: ActionExecutor<Name> = actionExecutors[name];
  const { settings } = checked;
  try {
    await prepareFolder(call.cwd);
    return await withLog(call, async (log) => {
      const outcome = await executor({ ...surroundings, call, settings, log });
      return outcome ?? { status: 'succeeded' };
    });
  } catch (error) {
    if (signal.aborted) return { ...stopped, cause: error };
    if (!isAppError(error)) throw error;
    return { status: 'failed', error: error.message, cause: error };
  }
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
