import type { ExecutorConfig, Step as WireStep } from '@weir/workflow-contract/schemas';
import type { Condition, JsonObject, RepeatPolicy, Step } from '@weir/workflow-spec';

type WireCondition = NonNullable<WireStep['preconditions']>[number];

export function presentStep(step: Step): WireStep {
  const { name, id, description, depends, workingDir, output, mailOnError, timeoutSec } = step;
  return {
    name,
    ...(id === undefined ? {} : { id }),
    ...(description === undefined ? {} : { description }),
    ...(workingDir === undefined ? {} : { dir: workingDir }),
    ...presentWork(step),
    ...(depends.length === 0 ? {} : { depends: [...depends] }),
    preconditions: (step.preconditions ?? []).map(presentCondition),
    ...(output?.kind === 'variable' ? { output: output.name } : {}),
    ...(mailOnError === true ? { mailOnError } : {}),
    ...(timeoutSec === undefined || timeoutSec === 0 ? {} : { timeoutSec }),
    ...presentFlow(step),
  };
}

/** Returns the action of a step, or `undefined` for commands, scripts and loops. */
export function presentAction({ run }: Step): ExecutorConfig | undefined {
  if (run.kind !== 'action') return undefined;
  return run.package
    ? { type: run.package.text, config: paramsOf(run) }
    : { type: run.action, config: { ...run.with } };
}

export function presentCondition(condition: Condition): WireCondition {
  const { negate } = condition;
  return condition.kind === 'command'
    ? { condition: condition.command, negate }
    : { condition: condition.text, expected: condition.expected, negate };
}

function presentWork(step: Step): Partial<WireStep> {
  const { run } = step;
  switch (run.kind) {
    case 'commands':
      return { commands: run.commands.map((command) => ({ command })) };
    case 'script':
      return { commands: [], script: run.script };
    case 'action':
      return { commands: [], ...presentCall(run), executorConfig: presentAction(step) };
    case 'foreach':
      return { commands: [], executorConfig: { type: 'foreach' } };
    case 'agent':
      return {
        commands: [],
        executorConfig: {
          type: 'agent',
          config: { tasks: run.tasks.map((task) => ({ ...task })), steps: run.steps.map(({ name }) => name) },
        },
      };
  }
}

type ActionRun = Extract<Step['run'], { kind: 'action' }>;

/** The settings of a packaged action are a map with the parameters of its run. */
function paramsOf({ with: { params } }: ActionRun): JsonObject {
  return { ...(params as JsonObject) };
}

function presentCall({ action, with: settings, package: packaged }: ActionRun): Partial<WireStep> {
  if (packaged !== undefined) return {};
  if (action !== 'dag.run' && action !== 'dag.enqueue') return {};
  const { dag, params } = settings;
  return {
    ...(typeof dag === 'string' ? { call: dag } : {}),
    ...(params === undefined ? {} : { params: asText(params) }),
  };
}

function presentFlow({ parallel, repeatPolicy, approval }: Step): Partial<WireStep> {
  return {
    ...(parallel === undefined ? {} : { parallel: { ...parallel, items: presentItems(parallel.items) } }),
    ...(repeatPolicy === undefined ? {} : { repeatPolicy: presentRepeat(repeatPolicy) }),
    ...(approval === undefined
      ? {}
      : { approval: { ...approval, input: [...approval.input], required: [...approval.required] } }),
  };
}

function presentItems(items: NonNullable<Step['parallel']>['items']): string | string[] {
  return typeof items === 'string' ? items : items.map(asText);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function presentRepeat({ mode, intervalSec, limit, backoff, maxIntervalSec, condition, exitCodes }: RepeatPolicy) {
  return {
    repeat: mode,
    // One that a reference yields is not known before.
    ...(typeof intervalSec === 'number' ? { interval: intervalSec } : {}),
    ...(typeof limit === 'number' ? { limit } : {}),
    ...(backoff === undefined ? {} : { backoff }),
    ...(typeof maxIntervalSec === 'number' ? { maxIntervalSec } : {}),
    ...(condition === undefined ? {} : { condition: presentCondition(condition) }),
    ...(exitCodes === undefined ? {} : { exitCode: [...exitCodes] }),
  };
}
