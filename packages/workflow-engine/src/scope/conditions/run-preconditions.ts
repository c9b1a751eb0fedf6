import { isStopped } from '../../host/concurrency/is-stopped';
import { chooseShell } from '../../values/environment/step-shell';
import { maskCheck } from '../../values/masking/mask-outcome';
import type { RunValues } from '../../values/run-values/run-values';
import type { StepChecksContext } from './create-step-checks';
import type { CheckResult } from '../../model/steps/check-result';
import { toKillGraceMs } from '../steps/build-step-command';
import { checkConditions } from './check-conditions';

export interface PreconditionsContext extends StepChecksContext {
  readonly values: RunValues;
  /** Aborted when the end of the run is requested. */
  readonly stop: AbortSignal;
}

/** Checks the preconditions of a DAG. A stopped run counts them as met, so that it ends like any other stop. */
export async function checkRunPreconditions({ ports, dag, values, stop }: PreconditionsContext): Promise<CheckResult> {
  const { preconditions = [] } = dag;
  if (preconditions.length === 0) return { kind: 'met' };
  const release = await ports.processPermits.acquire(stop);
  if (release === undefined) return { kind: 'met' };
  try {
    const result = await checkConditions(preconditions, {
      shell: chooseShell({}, dag, { configured: ports.defaultShell, user: values.userShell, scope: values.scope }),
      cwd: values.isFolderKnown ? values.folder : values.info.workDir,
      env: values.env,
      scope: values.scope,
      enclosure: values.enclosure,
      signal: stop,
      killGraceMs: toKillGraceMs(dag),
    });
    return isStopped(stop) ? { kind: 'met' } : maskCheck(result, values.masker);
  } finally {
    release();
  }
}
