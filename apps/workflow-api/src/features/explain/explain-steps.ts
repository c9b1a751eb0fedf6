import type { ExplanationCause } from '@weir/workflow-contract/schemas';
import { nodeStatus } from '@weir/workflow-engine/model';
import { explainExecution, presentHolder } from './explain-execution';
import type { ExplanationFacts, StepFacts } from './explanation-facts';

/** Decisions are checked against the same role. */
export const decidingRole = 'operator';

/** Returns every cause why the run is not running, or is held up in some of its steps. */
export function explainRun(facts: ExplanationFacts): readonly ExplanationCause[] {
  return [...explainExecution(facts), ...facts.steps.flatMap(explainPause)];
}

/** Returns every cause why the step is not running; empty while it is. */
export function explainStep(facts: ExplanationFacts, step: StepFacts): readonly ExplanationCause[] {
  if (nodeStatus.isTerminal(step.status)) return [explainEnd(step)];
  if (nodeStatus.isWaiting(step.status)) return explainPause(step);
  if (!nodeStatus.isUnstarted(step.status)) return [...explainExecution(facts), ...explainPause(step)];
  const execution = explainExecution(facts);
  const dependencies = explainDependencies(facts, step);
  const held = [...execution, ...dependencies];
  return held.length > 0 ? held : [explainStart(facts, step)];
}

/** Explains what a started step waits for. */
function explainPause({ name, status, retryCount, error, pause }: StepFacts): readonly ExplanationCause[] {
  if (nodeStatus.isRetrying(status)) {
    const message = `The step "${name}" waits for its next attempt after ${retryCount} retries.`;
    return [{ kind: 'step_retry', message, step: name, ...(error === null ? {} : { error }) }];
  }
  if (pause === undefined) return [];
  if (pause.kind === 'child_run') {
    const { kind, runs, others } = pause;
    const message = `The step "${name}" waits for its child runs.`;
    return [{ kind, message, step: name, runs: runs.map(presentHolder), otherRuns: others }];
  }
  const { kind, prompt } = pause;
  const wanted = kind === 'approval' ? 'an approval' : 'the answer to a human task';
  return [
    {
      kind,
      message: `The step "${name}" waits for ${wanted} by a person with the role ${decidingRole}.`,
      step: name,
      role: decidingRole,
      ...(prompt === undefined ? {} : { prompt }),
    },
  ];
}

/** Returns the dependencies that have not ended, and the causes that hold up any step before them. */
function explainDependencies({ steps }: ExplanationFacts, step: StepFacts): readonly ExplanationCause[] {
  const byName = new Map(steps.map((one) => [one.name, one]));
  const findOpen = ({ depends }: StepFacts): readonly StepFacts[] =>
    depends.flatMap((name) => byName.get(name) ?? []).filter(({ status }) => !nodeStatus.isTerminal(status));
  const open = findOpen(step);
  if (open.length === 0) return [];
  const before = new Set(open);
  // The set grows during the loop.
  for (const one of before) for (const further of findOpen(one)) before.add(further);
  return [
    {
      kind: 'dependency',
      message: `The step "${step.name}" waits for the end of ${open.map(({ name }) => `"${name}"`).join(', ')}.`,
      step: step.name,
      steps: open.map(presentStep),
    },
    ...[...before].flatMap(explainPause),
  ];
}

function explainStart({ steps, maxActiveSteps }: ExplanationFacts, { name }: StepFacts): ExplanationCause {
  const busy = steps.filter(({ status }) => nodeStatus.isBusy(status));
  if (maxActiveSteps > 0 && busy.length >= maxActiveSteps) {
    const message = `The run executes ${maxActiveSteps} steps at the same time, as max_active_steps allows.`;
    return { kind: 'step_limit', message, step: name, steps: busy.map(presentStep) };
  }
  const message = `Nothing holds the step "${name}" up: its preconditions are checked, or its worker is about to start it.`;
  return { kind: 'ready', message, step: name };
}

function explainEnd({ name, status, error, finishedAt }: StepFacts): ExplanationCause {
  return {
    kind: 'ended',
    message: `The step "${name}" has ended: ${status}.`,
    step: name,
    ...(finishedAt === null ? {} : { at: finishedAt.toISOString() }),
    ...(error === null ? {} : { error }),
  };
}

function presentStep({ name, status }: StepFacts) {
  return { name, statusLabel: status };
}
