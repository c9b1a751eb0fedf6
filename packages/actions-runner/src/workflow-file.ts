import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { evaluate, interpolate, isTrue, type ExpressionContext } from './expression';
import type { ActionStep, ProgramStep, StepOutcomes, StepOutputs, Variables } from './runner-types';

export interface WorkflowStep {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'continue-on-error'?: boolean;
}

export interface WorkflowJob {
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly WorkflowStep[];
}

export interface WorkflowSettings {
  /** The values of `vars`, `matrix` and `github`. Steps can read those of earlier steps. */
  readonly context?: ExpressionContext;
  /**
   * The action that `uses` names. `undefined` leaves the step out, such as a checkout. Throws for an action that is not
   * expected.
   */
  readonly findAction: (uses: string) => Pick<ActionStep, 'action' | 'uses'> | undefined;
  /** The names of steps to leave out. */
  readonly without?: readonly string[];
}

/** The jobs of a workflow file, whose shape is not checked: what this runner does not know fails when it is used. */
export function readWorkflow(file: string): Readonly<Record<string, WorkflowJob>> {
  const { jobs } = parse(readFileSync(file, 'utf8')) as { readonly jobs?: Readonly<Record<string, WorkflowJob>> };
  if (jobs === undefined) throw new Error(`${file} has no jobs.`);
  return jobs;
}

/** Whether the job or step runs, by its `if`. */
export function isWanted({ if: condition }: Pick<WorkflowJob, 'if'>, context: ExpressionContext): boolean {
  return condition === undefined || isTrue(evaluate(condition, context));
}

/** Converts the steps of a job for `runSteps`. */
export function toSteps(job: WorkflowJob, settings: WorkflowSettings): readonly (ActionStep | ProgramStep)[] {
  const { context = {}, without = [] } = settings;
  return job.steps
    .filter((step) => isWanted(step, context) && !without.includes(step.name ?? ''))
    .flatMap((step) => toStep(step, context, settings.findAction) ?? []);
}

function toStep(
  step: WorkflowStep,
  context: ExpressionContext,
  findAction: WorkflowSettings['findAction'],
): ActionStep | ProgramStep | undefined {
  const { id, run, uses } = step;
  const values = (given: Readonly<Record<string, unknown>> = {}) => {
    return (outputs: StepOutputs, outcomes: StepOutcomes): Variables => {
      const ids = [...new Set([...Object.keys(outputs), ...Object.keys(outcomes)])];
      const steps = Object.fromEntries(ids.map((each) => [each, { outputs: outputs[each], outcome: outcomes[each] }]));
      return evaluateAll(given, { ...context, steps });
    };
  };
  const rest = {
    ...(id !== undefined && { id }),
    continueOnError: step['continue-on-error'] ?? false,
    env: values(step.env),
  };
  if (uses !== undefined) {
    const action = findAction(uses);
    return action && { ...rest, ...action, with: values(step.with) };
  }
  if (run === undefined)
    throw new Error(`The step ${String(step.name ?? id)} neither uses an action nor runs a script.`);
  // These are the arguments of the runner's default shell.
  return { ...rest, program: 'bash', args: ['-e', '-c', interpolate(run, context)] };
}

function evaluateAll(given: Readonly<Record<string, unknown>>, context: ExpressionContext): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, interpolate(String(value), context)]));
}
