import { AppError, isSystemError } from '@weir/errors';
import { chooseShell } from '../environment/step-shell';
import { readLogTail } from '../local-command/log-files';
import type { CheckContext, CheckResult, RetryLimits, StepChecks } from '../scope/step-checks';
import type { DagRunStep } from '../run-model/dag-run';
import { matchesOutput, resolveField, type Step } from '@weir/workflow-spec';
import { checkConditions } from './check-conditions';
import { withOwnOutputs, type ScopeOutputs } from '../outputs/scope-outputs';
import type { Permits } from '../concurrency/permits';
import { resolveStep, type StepCommandOptions, type ResolvedStep } from '../steps/step-command';

export interface StepCheckOptions extends Omit<StepCommandOptions, 'upstream'> {
  readonly steps: readonly DagRunStep[];
  readonly outputs: ScopeOutputs;
  /** Bounds the processes of all runs together. */
  readonly processPermits: Permits;
}

// Of each stream: a pattern is looked for at the end of what a step wrote.
const searchedBytes = 1_048_576;
const wholeNumber = /^\d{1,9}$/;

/** Answers from the values, the files and the commands of one run. */
export function createStepChecks(options: StepCheckOptions): StepChecks {
  const { dag, values, defaultShell, steps, outputs, processPermits } = options;
  const resolve = (step: Step, { index, outcome }: CheckContext): ResolvedStep => {
    const files = getFiles(steps, index);
    const upstream = withOwnOutputs(outputs.findUpstream(index), { step, files, outcome });
    return resolveStep({ values, upstream }, step, files);
  };
  return {
    conditions: async (step, conditions, context): Promise<CheckResult> => {
      const release = await processPermits.acquire(context.signal);
      if (release === undefined) return { kind: 'failed', error: 'run stopped' };
      try {
        const shell = chooseShell(step, dag, { configured: defaultShell, user: values.userShell });
        const grace = dag.maxCleanUpTimeSec;
        return await checkConditions(conditions, {
          ...resolve(step, context),
          shell,
          signal: context.signal,
          ...(grace === undefined ? {} : { killGraceMs: grace * 1000 }),
        });
      } finally {
        release();
      }
    },
    hasWritten: async (_step, patterns, { index }) => {
      const { stdoutFile, stderrFile } = getFiles(steps, index);
      for (const file of new Set([stdoutFile, stderrFile])) {
        const text = await readTail(file);
        if (patterns.some((pattern) => matchesOutput(pattern, text))) return true;
      }
      return false;
    },
    retryLimits: (step, context) => Promise.resolve(resolveRetryLimits(step, () => resolve(step, context))),
  };
}

function resolveRetryLimits({ retryPolicy }: Step, resolveStep: () => ResolvedStep): RetryLimits {
  const { limit = 0, intervalSec = 0 } = retryPolicy ?? {};
  if (typeof limit === 'number' && typeof intervalSec === 'number') return { limit, intervalSec };
  const { scope } = resolveStep();
  const resolve = (value: number | string): number | undefined => {
    if (typeof value === 'number') return value;
    const text = resolveField(value, scope).trim();
    return wholeNumber.test(text) ? Number(text) : undefined;
  };
  const resolved = { limit: resolve(limit), intervalSec: resolve(intervalSec) };
  if (resolved.limit === undefined) return { problem: 'retry_policy.limit is not a whole number' };
  if (resolved.intervalSec === undefined) return { problem: 'retry_policy.interval_sec is not a whole number' };
  return { limit: resolved.limit, intervalSec: resolved.intervalSec };
}

async function readTail(file: string): Promise<string> {
  try {
    return await readLogTail(file, 0, searchedBytes);
  } catch (error) {
    // The step failed before it wrote anything.
    if (isSystemError(error, 'ENOENT')) return '';
    throw error;
  }
}

function getFiles(steps: readonly DagRunStep[], index: number): DagRunStep {
  const files = steps[index];
  if (files === undefined) throw new AppError('internal', 'A step to be checked is not stored.');
  return files;
}
