import type { RunContext } from '../context/run-context';
import type { StepExecution } from '../../scope/loop/step-execution';
import { buildActionCall } from '../../scope/steps/action-call';
import { buildStepCommand } from '../../scope/steps/build-step-command';
import type { Recipe } from './recipe';

/** Returns what a step with commands, or with the action `exec`, executes. */
export function readCommand(context: RunContext, execution: StepExecution): Recipe['command'] {
  if (execution.step.run.kind !== 'action') return buildStepCommand(context, execution);
  const { cwd, env, with: settings } = buildActionCall(context, execution);
  const run = { kind: 'commands', commands: [JSON.stringify(settings)] } as const;
  return { run, shell: [], isStepShell: false, cwd, env };
}
