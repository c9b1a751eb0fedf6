import type { ResolvedParam } from '@weir/workflow-spec';

export type Environment = Readonly<Record<string, string>>;

/** What a step is told about its run. Files and folders are absolute paths. */
export interface StepRunFacts {
  readonly dagName: string;
  readonly runId: string;
  readonly runLogFile: string;
  readonly workDir: string;
  readonly params: readonly ResolvedParam[];
  readonly stepName: string;
  readonly stdoutFile: string;
  readonly stderrFile: string;
}

export interface StepEnvironmentOptions {
  /** The server's own environment. Only the names on the allow-list get through. */
  readonly host: Readonly<Record<string, string | undefined>>;
  /** The DAG's entries, worked out. */
  readonly dagEnv: Environment;
  /** The step's entries, worked out. */
  readonly stepEnv: Environment;
  /** Names of the parameters that the DAG declares. Others do not become variables. */
  readonly declaredParams: ReadonlySet<string>;
  readonly facts: StepRunFacts;
}

// An allow-list and not a list of secrets: a setting of the server that is added later stays private by itself.
const hostNames = new Set([
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'TMPDIR',
  'TERM',
  'EDITOR',
  'VISUAL',
  'LANG',
  'TZ',
  'LD_LIBRARY_PATH',
  // No DOCKER_ prefix: people keep registry passwords under it.
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_CERT_PATH',
  'DOCKER_TLS_VERIFY',
  'DOCKER_API_VERSION',
]);
const hostPrefixes = ['LC_', 'XDG_'];
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The whole environment of a step. Later wins: host (allow-list), declared parameters, DAG `env`, step `env`, and last
 * the variables about the run, which nothing can replace.
 */
export function stepEnvironment(options: StepEnvironmentOptions): Environment {
  const { host, dagEnv, stepEnv, declaredParams, facts } = options;
  return Object.fromEntries([
    ...Object.entries(hostEnvironment(host)),
    ...paramVariables(facts.params, declaredParams),
    ...Object.entries(dagEnv),
    ...Object.entries(stepEnv),
    ...Object.entries(runVariables(facts)),
  ]);
}

/** What of the server's environment a step may see. No setting or secret of the server is among it. */
export function hostEnvironment(host: Readonly<Record<string, string | undefined>>): Environment {
  const passed = Object.entries(host).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (hostNames.has(entry[0]) || hostPrefixes.some((prefix) => entry[0].startsWith(prefix))),
  );
  return Object.fromEntries(passed);
}

/** The variables about the run, each under the name migrants know and under Weir's own. */
export function runVariables(facts: StepRunFacts): Environment {
  const params = JSON.stringify(Object.fromEntries(facts.params.map(({ name, value }) => [name, value])));
  return {
    DAG_NAME: facts.dagName,
    WEIR_DAG_NAME: facts.dagName,
    DAG_RUN_ID: facts.runId,
    WEIR_RUN_ID: facts.runId,
    DAG_RUN_LOG_FILE: facts.runLogFile,
    WEIR_RUN_LOG_FILE: facts.runLogFile,
    DAG_RUN_WORK_DIR: facts.workDir,
    WEIR_RUN_WORK_DIR: facts.workDir,
    DAG_PARAMS_JSON: params,
    WEIR_PARAMS_JSON: params,
    DAG_RUN_STEP_NAME: facts.stepName,
    WEIR_STEP_NAME: facts.stepName,
    DAG_RUN_STEP_STDOUT_FILE: facts.stdoutFile,
    WEIR_STEP_STDOUT_FILE: facts.stdoutFile,
    DAG_RUN_STEP_STDERR_FILE: facts.stderrFile,
    WEIR_STEP_STDERR_FILE: facts.stderrFile,
  };
}

/**
 * Whoever may start a DAG chooses the names of undeclared parameters, and would otherwise choose the program that a
 * step runs, by way of PATH. Positional parameters have numbers for names, which no environment takes.
 */
function paramVariables(
  params: readonly ResolvedParam[],
  declared: ReadonlySet<string>,
): readonly (readonly [string, string])[] {
  return params
    .filter(({ name }) => declared.has(name) && variableName.test(name))
    .map(({ name, value }) => [name, value]);
}
