import { AppError, isSystemError } from '@weir/errors';
import {
  chooseShell,
  readLogTail,
  type CheckContext,
  type CheckResult,
  type RetryCounts,
  type StepChecks,
} from '@weir/workflow-engine';
import { holdsPattern, resolveField, type Step } from '@weir/workflow-spec';
import type { DagRunStep } from '../dag-runs';
import { checkConditions } from './check-conditions';
import { withOwnOutputs, type RunOutputs } from './run-outputs';
import type { Slots } from './slots';
import { stepPlace, type StepCommandOptions, type StepPlace } from './step-command';

export interface StepCheckOptions extends Omit<StepCommandOptions, 'upstream'> {
  readonly steps: readonly DagRunStep[];
  readonly outputs: RunOutputs;
  /** Bounds the processes of all runs together. */
  readonly processSlots: Slots;
}

// Of each stream: a pattern is looked for at the end of what a step wrote.
const searchedBytes = 1_048_576;
const wholeNumber = /^\d{1,9}$/;

/** Answers from the values, the files and the commands of one run. */
export function createStepChecks(options: StepCheckOptions): StepChecks {
  const { dag, values, defaultShell, steps, outputs, processSlots } = options;
  const placeOf = (step: Step, { index, outcome }: CheckContext): StepPlace => {
    const files = filesOf(steps, index);
    const upstream = withOwnOutputs(outputs.upstreamOf(index), { step, files, outcome });
    return stepPlace({ values, upstream }, step, files);
  };
  return {
    conditions: async (step, conditions, context): Promise<CheckResult> => {
      const release = await processSlots.acquire(context.signal);
      if (release === undefined) return { kind: 'failed', error: 'run stopped' };
      try {
        const shell = chooseShell(step, dag, { configured: defaultShell, user: values.userShell });
        const grace = dag.maxCleanUpTimeSec;
        return await checkConditions(conditions, {
          ...placeOf(step, context),
          shell,
          signal: context.signal,
          ...(grace === undefined ? {} : { killGraceMs: grace * 1000 }),
        });
      } finally {
        release();
      }
    },
    wrote: async (_step, patterns, { index }) => {
      const { stdoutFile, stderrFile } = filesOf(steps, index);
      for (const file of new Set([stdoutFile, stderrFile])) {
        const text = await endOf(file);
        if (patterns.some((pattern) => holdsPattern(pattern, text))) return true;
      }
      return false;
    },
    retryCounts: (step, context) => Promise.resolve(retryCounts(step, () => placeOf(step, context))),
  };
}

function retryCounts({ retryPolicy }: Step, place: () => StepPlace): RetryCounts {
  const { limit = 0, intervalSec = 0 } = retryPolicy ?? {};
  if (typeof limit === 'number' && typeof intervalSec === 'number') return { limit, intervalSec };
  const { scope } = place();
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

async function endOf(file: string): Promise<string> {
  try {
    return await readLogTail(file, 0, searchedBytes);
  } catch (error) {
    // The step failed before it wrote anything.
    if (isSystemError(error, 'ENOENT')) return '';
    throw error;
  }
}

function filesOf(steps: readonly DagRunStep[], index: number): DagRunStep {
  const files = steps[index];
  if (files === undefined) throw new AppError('internal', 'A step to be checked is not stored.');
  return files;
}
