import type { ResolvedParam } from '@weir/workflow-spec';
import { runVariables, type Environment, type RunInfo } from './run-variables';

/** The sources of the environment of a run, in the order in which they are merged. */
export interface RunEnvironmentSources {
  /** See `hostEnvironment`. */
  readonly host: Environment;
  /** The parameters that the DAG declares. Others do not become variables. */
  readonly declaredParams: readonly ResolvedParam[];
  /** The resolved entries of the base configuration and the DAG. */
  readonly dagEnv: Environment;
  /** The variables of the environment files. */
  readonly dotenv: Environment;
  /** The variables of defaults and of the profile. */
  readonly profile: { readonly defaults: Environment; readonly chosen: Environment };
  readonly info: RunInfo;
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The environment of a run. Later wins: host, defaults of profiles, declared parameters, `env` of the base configuration
 * and the DAG, environment files, the profile, and last the variables about the run, which nothing can replace.
 */
export function runEnvironment(sources: RunEnvironmentSources): Environment {
  const { host, declaredParams, dagEnv, dotenv, profile, info } = sources;
  return {
    ...host,
    ...profile.defaults,
    ...paramVariables(declaredParams),
    ...dagEnv,
    ...dotenv,
    ...profile.chosen,
    ...runVariables(info),
  };
}

/**
 * The environment of a step: that of its run, with the step's own entries over it, and the variables about the run
 * and the step, which nothing can replace.
 */
export function stepEnvironment(run: Environment, stepEnv: Environment, info: RunInfo): Environment {
  return { ...run, ...stepEnv, ...runVariables(info) };
}

// Positional parameters have numbers for names, which no environment takes.
function paramVariables(params: readonly ResolvedParam[]): Environment {
  return Object.fromEntries(
    params.filter(({ name }) => variableName.test(name)).map(({ name, value }) => [name, value]),
  );
}
