import { isAppError } from '@weir/errors';
import { completeParams, type EvaluatedParam, type ResolvedParam } from '@weir/workflow-spec';
import { evaluateParam } from './evaluate-param';
import { readDotenv } from './read-dotenv';
import { resolveRunValues, sourceFolder, type RunSources, type RunValues } from './run-values';
import { resolveSecrets } from '../secrets/resolve-secrets';
import { withSecrets } from '../secrets/with-secrets';
import type { Permits } from '../concurrency/permits';

export interface PrepareOptions extends RunSources {
  readonly defaultShell?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Bounds the processes of all runs together. */
  readonly processPermits: Permits;
  /** Keeps the parameters that the run is carried out with. */
  readonly storeParams: (params: readonly ResolvedParam[]) => Promise<void>;
}

/** What a run needs before its first step; a sentence when it cannot begin. */
export type PreparedRun = { readonly values: RunValues } | { readonly problem: string };

/**
 * Works out the parameters that are not known yet, reads the environment files, and puts the values of the run
 * together. What a run has been given once is not worked out again.
 */
export async function prepareRun(options: PrepareOptions): Promise<PreparedRun> {
  const { run, signal } = options;
  try {
    const completed = await evaluateAll(options);
    if (completed.problems.length > 0) return { problem: completed.problems.join('; ') };
    const isMore = completed.params.length > run.resolvedParams.length;
    if (isMore && !signal.aborted) await options.storeParams(completed.params);
    const before = resolveRunValues(options, completed.params, {});
    const { env, missing } = await readDotenv({ ...options, values: before });
    const [first] = missing;
    if (first !== undefined) {
      return { problem: `the environment file ${JSON.stringify(first)} of the DAG "${run.dagName}" is not there` };
    }
    return await addSecrets(options, resolveRunValues(options, completed.params, env));
  } catch (error) {
    // What else goes wrong is not the fault of the run.
    if (!isAppError(error) || error.code !== 'invalid_request') throw error;
    return { problem: error.message };
  }
}

/** Last of all, so that nothing that is stored before can hold one. */
async function addSecrets({ run, dag, dagsDir, hostEnv }: PrepareOptions, values: RunValues): Promise<PreparedRun> {
  const secrets = await resolveSecrets(dag, { hostEnv, folder: sourceFolder(run, dagsDir) });
  return 'problem' in secrets ? secrets : { values: withSecrets(values, secrets.values) };
}

async function evaluateAll(options: PrepareOptions) {
  const { run, dag, signal } = options;
  const evaluated = new Map<string, EvaluatedParam>();
  let state = completeParams(dag, run.resolvedParams, evaluated);
  const [first] = state.evals;
  if (first === undefined) return state;
  const before = resolveRunValues(options, state.params, {});
  // A file that is missing is told of once everything is known.
  const { env } = await readDotenv({ ...options, values: before });
  for (let pending = state.evals[0]; pending !== undefined && !isStopped(signal); pending = state.evals[0]) {
    const release = await options.processPermits.acquire(signal);
    if (release === undefined) break;
    try {
      const values = resolveRunValues(options, state.params, env);
      const outcome = await evaluateParam(pending, { ...options, values });
      // Then it failed because of the stop, which is not its own fault.
      if (isStopped(signal)) break;
      evaluated.set(pending.name, outcome);
    } finally {
      release();
    }
    state = completeParams(dag, run.resolvedParams, evaluated);
    if (state.problems.length > 0) break;
  }
  return state;
}

// A function, since the value changes while something else is waited for.
function isStopped({ aborted }: AbortSignal): boolean {
  return aborted;
}
