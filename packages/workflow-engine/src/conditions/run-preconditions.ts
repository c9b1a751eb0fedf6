import { chooseShell } from '../environment/step-shell';
import { maskCheck } from '../masking/mask-outcome';
import type { CheckResult } from '../scope/step-checks';
import type { Dag } from '@weir/workflow-spec';
import { checkConditions } from './check-conditions';
import type { RunValues } from '../values/run-values';
import type { Permits } from '../concurrency/permits';

export interface CheckRunOptions {
  readonly dag: Dag;
  readonly values: RunValues;
  readonly defaultShell?: readonly string[] | undefined;
  readonly processPermits: Permits;
  readonly signal: AbortSignal;
}

/** Whether the preconditions of a DAG hold. A stop lets the run go on to where it is stopped. */
export async function checkRunPreconditions(options: CheckRunOptions): Promise<CheckResult> {
  const { dag, values, defaultShell, processPermits, signal } = options;
  const { preconditions = [] } = dag;
  if (preconditions.length === 0) return { kind: 'met' };
  const release = await processPermits.acquire(signal);
  if (release === undefined) return { kind: 'met' };
  try {
    const result = await checkConditions(preconditions, {
      shell: chooseShell({}, dag, { configured: defaultShell, user: values.userShell }),
      cwd: values.isFolderKnown ? values.folder : values.info.workDir,
      env: values.env,
      scope: values.scope,
      signal,
      ...(dag.maxCleanUpTimeSec === undefined ? {} : { killGraceMs: dag.maxCleanUpTimeSec * 1000 }),
    });
    return isStopped(signal) ? { kind: 'met' } : maskCheck(result, values.masker);
  } finally {
    release();
  }
}

// A function, since the value changes while something else is waited for.
function isStopped({ aborted }: AbortSignal): boolean {
  return aborted;
}
