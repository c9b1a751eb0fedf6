import { mkdir } from 'node:fs/promises';
import { isAppError } from '@weir/foundation';
import { checkSettings, type ExecutableActionName } from '@weir/workflow-spec/actions';
import { workingFolderUnusable } from '../host/local-command/command-errors';
import { logLimitOutcome } from '../host/local-command/command-outcome';
import { addUpModelUse, type ModelUse } from '../model/run-model/model-use';
import type { CommandContext } from '../host/local-command/step-command';
import type { StepOutcome } from '../model/steps/step-outcome';
import type { ActionCall, ActionExecutor, ActionServices } from './call/action-executor';
import { actionExecutors } from './action-executors';
import { openActionLog, type ActionLog } from '../host/logs/action-log';

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
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- used inside: the union of names would couple nothing
function executeNamed<Name extends ExecutableActionName>(
  name: Name,
  call: ActionCall,
  surroundings: Surroundings,
): Promise<StepOutcome> {
  const executor: ActionExecutor<Name> = actionExecutors[name];
  return executeBy(name, executor, call, surroundings);
}

/** Executes with the settings of an action what is more than that action; otherwise like `executeAction`. */
export async function executeBy<Name extends ExecutableActionName>(
  name: Name,
  executor: ActionExecutor<Name>,
  call: ActionCall,
  surroundings: Surroundings,
): Promise<StepOutcome> {
  if (surroundings.signal.aborted) return stopped;
  const { signal } = surroundings;
  const checked = checkSettings(name, call.with);
  if ('problems' in checked) return { status: 'failed', error: `${name}: ${checked.problems.join('; ')}` };
  const { settings } = checked;
  const used: ModelUse[] = [];
  const onModelUse = (use: ModelUse): void => void used.push(use);
  const counted = (outcome: StepOutcome): StepOutcome =>
    used.length === 0 ? outcome : { ...outcome, modelUse: addUpModelUse(used) };
  try {
    await prepareFolder(call.cwd);
    return await withLog(call, surroundings, async (log, untilExceeded) => {
      const work = { ...surroundings, signal: untilExceeded, call, settings, log, onModelUse };
      return counted((await executor(work)) ?? { status: 'succeeded' });
    });
  } catch (error) {
    if (signal.aborted) return counted({ ...stopped, cause: error });
    if (!isAppError(error)) throw error;
    return counted({ status: 'failed', error: error.message, cause: error });
  }
}

/** The signal is also aborted when the log is too large and the step is to fail for it. */
async function withLog(
  call: ActionCall,
  { services, signal }: Pick<Surroundings, 'services' | 'signal'>,
  use: (log: ActionLog, signal: AbortSignal) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const log = openActionLog(call, services.clock);
  const isExceeded = (): boolean => log.exceeded.aborted && !signal.aborted;
  let outcome: StepOutcome;
  try {
    outcome = await use(log, AbortSignal.any([signal, log.exceeded]));
  } catch (error) {
    if (!isExceeded()) throw error;
    outcome = logLimitOutcome;
  } finally {
    log.close();
  }
  return isExceeded() ? logLimitOutcome : outcome;
}

async function prepareFolder(cwd: string): Promise<void> {
  try {
    await mkdir(cwd, { recursive: true });
  } catch (error) {
    throw workingFolderUnusable(error);
  }
}
