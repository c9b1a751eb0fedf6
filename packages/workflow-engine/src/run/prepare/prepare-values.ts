import { isAppError } from '@weir/foundation';
import type { ResolvedParam, Dag } from '@weir/workflow-spec';
import { completeParams, type EvaluatedParam, type PendingParam } from '@weir/workflow-spec/values';
import { isStopped } from '../../host/concurrency/is-stopped';
import { commitOwned } from '../../model/ports/run-store';
import type { LoadedRun } from '../context/run-context';
import { resolveProfileSecrets, type ReadProfileSecret } from '../../host/secrets/resolve-profile-secrets';
import { resolveSecrets } from '../../host/secrets/resolve-secrets';
import type { ReadStoredSecret, SecretProviders } from '../../host/secrets/secret-source';
import { withSecrets } from './with-secrets';
import { readDotenv } from './read-dotenv';
import type { Environment } from '../../values/environment/run-variables';
import { resolveRunValues, sourceFolder, type RunSources, type RunValues } from '../../values/run-values/run-values';
import { chooseShell } from '../../values/environment/step-shell';
import { evaluateText } from '../../host/local-command/evaluate-text';

interface PreparationSources extends RunSources {
  /** Further providers of secrets. */
  readonly secretProviders?: SecretProviders | undefined;
  /** The server's own store of secrets. */
  readonly readStoredSecret?: ReadStoredSecret | undefined;
  /** The secrets of profiles. */
  readonly readProfileSecret?: ReadProfileSecret | undefined;
}

/** `problem` is a sentence that says why the run cannot start. */
export type PreparedValues = { readonly values: RunValues } | { readonly problem: string };

/**
 * Evaluates the parameters that are not known yet and stores them, reads the environment files and the secrets, and
 * resolves the values of the run. Parameters that are stored are not evaluated again.
 */
export async function prepareValues(loaded: LoadedRun): Promise<PreparedValues> {
  const { ports, run, root, lease, dag, stop, enclosure, logLimit } = loaded;
  const sources: PreparationSources = { ...ports, run, root, dag, enclosure, logLimit };
  try {
    const completed = await evaluateParams(loaded, sources);
    if (completed.problems.length > 0) return { problem: completed.problems.join('; ') };
    const isMore = completed.params.length > run.resolvedParams.length;
    if (isMore && !stop.aborted) {
      await commitOwned(loaded, { kind: 'params_resolved', lease, params: completed.params });
    }
    const before = resolveRunValues(sources, completed.params, {});
    const { env, missing } = await readDotenv({ ...sources, values: before });
    const [first] = missing;
    if (first !== undefined) {
      return { problem: `the environment file ${JSON.stringify(first)} of the DAG "${run.dagName}" is not there` };
    }
    await storeFileVariables(loaded, completed.params, Object.keys(env));
    return await addSecrets(sources, completed.params, env);
  } catch (error) {
    // Anything else is not the fault of the run.
    if (!isAppError(error) || error.code !== 'invalid_request') throw error;
    return { problem: error.message };
  }
}

/** Only their names: what the files hold may be secret. */
async function storeFileVariables(
  loaded: LoadedRun,
  params: readonly ResolvedParam[],
  fileVariables: readonly string[],
): Promise<void> {
  const { run, lease, stop } = loaded;
  const stored = run.fileVariables;
  const isSame = stored.length === fileVariables.length && fileVariables.every((name, index) => name === stored[index]);
  if (isSame || stop.aborted) return;
  await commitOwned(loaded, { kind: 'params_resolved', lease, params, fileVariables });
}

/** Last of all, so that nothing that is stored before can hold a secret. */
async function addSecrets(
  sources: PreparationSources,
  params: readonly ResolvedParam[],
  dotenv: Environment,
): Promise<PreparedValues> {
  const { run, dag, dagsDir, hostEnv, enclosure, secretProviders: providers, readStoredSecret: readStored } = sources;
  const ofProfile = await resolveProfileSecrets(run.profileLayers, sources.readProfileSecret);
  if ('problem' in ofProfile) return ofProfile;
  const secrets = await resolveSecrets(dag, {
    hostEnv,
    folder: sourceFolder(run, dagsDir),
    enclosure,
    providers,
    readStored,
  });
  if ('problem' in secrets) return secrets;
  const hidden = [...ofProfile.secrets.values()].flatMap((layer) => Object.values(layer));
  return { values: withSecrets(resolveRunValues(sources, params, dotenv, ofProfile.secrets), secrets.values, hidden) };
}

async function evaluateParams({ ports, stop }: LoadedRun, sources: RunSources) {
  const { run, dag } = sources;
  const evaluated = new Map<string, EvaluatedParam>();
  let state = completeParams(dag, run.resolvedParams, evaluated);
  const [first] = state.evals;
  if (first === undefined) return state;
  const before = resolveRunValues(sources, state.params, {});
  // A missing file is reported once everything is known.
  const { env } = await readDotenv({ ...sources, values: before });
  for (let pending = state.evals[0]; pending !== undefined && !isStopped(stop); pending = state.evals[0]) {
    const release = await ports.processPermits.acquire(stop);
    if (release === undefined) break;
    try {
      const values = resolveRunValues(sources, state.params, env);
      const outcome = await evaluateParam(pending, { dag, values, defaultShell: ports.defaultShell, signal: stop });
      // A failure that the stop has caused is not reported.
      if (isStopped(stop)) break;
      evaluated.set(pending.name, outcome);
    } finally {
      release();
    }
    state = completeParams(dag, run.resolvedParams, evaluated);
    if (state.problems.length > 0) break;
  }
  return state;
}

interface EvaluateOptions {
  readonly dag: Dag;
  readonly values: RunValues;
  readonly defaultShell?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** Evaluates the `eval` of one parameter with the shell of the DAG. */
function evaluateParam(pending: PendingParam, options: EvaluateOptions): Promise<EvaluatedParam> {
  const { dag, values, defaultShell, signal } = options;
  return evaluateText(pending.eval, {
    shell: chooseShell({}, dag, { configured: defaultShell, user: values.userShell, scope: values.scope }),
    cwd: values.isFolderKnown ? values.folder : values.info.workDir,
    env: values.env,
    scope: values.scope,
    enclosure: values.enclosure,
    signal,
  });
}
