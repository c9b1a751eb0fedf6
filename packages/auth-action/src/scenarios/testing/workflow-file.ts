import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ActionStep, ProgramStep } from '@weir/actions-runner';
import { parse } from 'yaml';
import { isTrue, evaluate, interpolate, type ExpressionContext } from './expression';
import { action } from './run-job';

interface FileStep {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'continue-on-error'?: boolean;
}

export interface FileJob {
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly FileStep[];
}

/** The jobs of a workflow file of this repository. */
export function readJobs(file: string): Readonly<Record<string, FileJob>> {
  const text = readFileSync(path.join(action, '../../.github/workflows', file), 'utf8');
  // The file is not validated, because it is in this repository and unexpected steps fail.
  return (parse(text) as { readonly jobs: Readonly<Record<string, FileJob>> }).jobs;
}

export function isWanted(job: Pick<FileJob, 'if'>, context: ExpressionContext): boolean {
  return job.if === undefined || isTrue(evaluate(job.if, context));
}

/**
 * Converts the steps of a job for `runSteps`: the action of this repository, and scripts. Omits checkouts and the steps
 * with the given names.
 */
export function toSteps(
  job: FileJob,
  context: ExpressionContext,
  skippedNames: readonly string[],
): readonly (ActionStep | ProgramStep)[] {
  return job.steps
    .filter((step) => isWanted(step, context))
    .filter(({ uses, name = '' }) => uses?.startsWith('actions/checkout@') !== true && !skippedNames.includes(name))
    .map((step) => toStep(step, context));
}

function toStep(step: FileStep, context: ExpressionContext): ActionStep | ProgramStep {
  const { id, run, uses } = step;
  const rest = { ...(id !== undefined && { id }), continueOnError: step['continue-on-error'] ?? false };
  if (uses === './packages/auth-action') return { ...rest, action, with: evaluateAll(step.with ?? {}, context) };
  if (run === undefined) throw new Error(`A step that uses ${String(uses)} is not supported.`);
  return {
    ...rest,
    program: 'bash',
    // These are the arguments of the runner's default shell.
    args: ['-e', '-c', interpolate(run, context)],
    env: (outputs, outcomes) => {
      const ids = [...new Set([...Object.keys(outputs), ...Object.keys(outcomes)])];
      const steps = Object.fromEntries(ids.map((each) => [each, { outputs: outputs[each], outcome: outcomes[each] }]));
      return evaluateAll(step.env ?? {}, { ...context, steps });
    },
  };
}

function evaluateAll(given: Readonly<Record<string, unknown>>, context: ExpressionContext): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, interpolate(String(value), context)]));
}
