import { isSystemError } from '@weir/foundation';
import type { Dag, RepeatPolicy, Step } from '@weir/workflow-spec';
import { matchesOutput } from '@weir/workflow-spec/text';
import { resolveField, type Scope } from '@weir/workflow-spec/values';
import { chooseShell } from '../../values/environment/step-shell';
import { readLogTail } from '../../host/logs/log-files';
import { withOwnOutputs } from '../../values/outputs/scope-outputs';
import type { Permits } from '../../host/concurrency/permits';
import { getStoredStep, type ActiveScope } from '../loop/active-scope';
import type { CheckContext, RepeatLimits, RetryLimits, StepChecks } from '../loop/step-checks';
import { resolveStep, type ResolvedStep } from '../../values/run-values/resolve-step';
import { toKillGraceMs } from '../steps/build-step-command';
import { checkConditions } from './check-conditions';

// Of each stream: a pattern is searched for at the end of what a step wrote.
const searchedBytes = 1_048_576;
const wholeNumber = /^\d{1,9}$/;

/** What the checks need of their run. */
export interface StepChecksContext {
  readonly ports: {
    /** Bounds the processes of the steps of all runs together. */
    readonly processPermits: Permits;
    readonly defaultShell?: readonly string[] | undefined;
  };
  readonly dag: Dag;
}

/** Answers from the values, the files and the commands of one scope. */
export function createStepChecks({ ports, dag }: StepChecksContext, scope: ActiveScope): StepChecks {
  const { processPermits, defaultShell } = ports;
  const { values, outputs } = scope;
  const resolve = (step: Step, { index, outcome, counts }: CheckContext): ResolvedStep => {
    const stored = getStoredStep(scope, index);
    const upstream = withOwnOutputs(outputs.findUpstream(index), { step, files: stored, outcome });
    return resolveStep({ step, stored, values, upstream, ...counts });
  };
  const check: StepChecks['conditions'] = async (step, conditions, context) => {
    const release = await processPermits.acquire(context.signal);
    if (release === undefined) return { kind: 'failed', error: 'run stopped' };
    try {
      const { signal } = context;
      const resolved = resolve(step, context);
      const { scope: references } = resolved;
      return await checkConditions(conditions, {
        ...resolved,
        shell: chooseShell(step, dag, { configured: defaultShell, user: values.userShell, scope: references }),
        enclosure: values.enclosure,
        signal,
        killGraceMs: toKillGraceMs(dag),
      });
    } finally {
      release();
    }
  };
  return {
    preconditions: async (step, context) => {
      if (getStoredStep(scope, context.index).decisions?.bypass !== undefined) return { kind: 'met' };
      return check(step, step.preconditions ?? [], context);
    },
    conditions: check,
    hasWritten: async (_step, patterns, { index }) => {
      const { stdoutFile, stderrFile } = getStoredStep(scope, index);
      for (const file of new Set([stdoutFile, stderrFile])) {
        const text = await readTail(file);
        if (patterns.some((pattern) => matchesOutput(pattern, text))) return true;
      }
      return false;
    },
    retryLimits: (step, context) => Promise.resolve(resolveRetryLimits(step, () => resolve(step, context))),
    repeatLimits: (step, policy, context) => Promise.resolve(resolveRepeatLimits(policy, () => resolve(step, context))),
  };
}

function resolveRepeatLimits(policy: RepeatPolicy, resolveOwn: () => ResolvedStep): RepeatLimits {
  const read = createNumberReader(resolveOwn);
  const limit = policy.limit === undefined ? 0 : read(policy.limit);
  const intervalSec = read(policy.intervalSec);
  const maxIntervalSec = policy.maxIntervalSec === undefined ? Infinity : read(policy.maxIntervalSec);
  if (limit === undefined) return { problem: 'repeat_policy.limit is not an integer' };
  if (intervalSec === undefined) return { problem: 'repeat_policy.interval_sec is not an integer' };
  if (maxIntervalSec === undefined) return { problem: 'repeat_policy.max_interval_sec is not an integer' };
  return { intervalSec, ...(limit === 0 ? {} : { limit }), ...(maxIntervalSec === Infinity ? {} : { maxIntervalSec }) };
}

/** Reads numbers and texts whose references yield an integer; the values are only made for the first such text. */
function createNumberReader(resolveOwn: () => ResolvedStep): (value: number | string) => number | undefined {
  let scope: Scope | undefined;
  return (value) => {
    if (typeof value === 'number') return value;
    scope ??= resolveOwn().scope;
    const text = resolveField(value, scope).trim();
    return wholeNumber.test(text) ? Number(text) : undefined;
  };
}

function resolveRetryLimits({ retryPolicy }: Step, resolveOwn: () => ResolvedStep): RetryLimits {
  const { limit = 0, intervalSec = 0 } = retryPolicy ?? {};
  const read = createNumberReader(resolveOwn);
  const resolved = { limit: read(limit), intervalSec: read(intervalSec) };
  if (resolved.limit === undefined) return { problem: 'retry_policy.limit is not an integer' };
  if (resolved.intervalSec === undefined) return { problem: 'retry_policy.interval_sec is not an integer' };
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
