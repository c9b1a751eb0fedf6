import type { Dag, ResolvedParam, Step } from '@weir/workflow-spec';
import type { Environment } from '../../values/environment/run-variables';

export interface ContainerEnvContext {
  readonly dag: Pick<Dag, 'env' | 'secrets'>;
  /** The environment of the server. */
  readonly ports: { readonly hostEnv: Readonly<Record<string, string | undefined>> };
}

/**
 * The part of a step's environment that its container gets: everything but what belongs to this host, such as its
 * `PATH`. A variable that the DAG or the step names is part of it, whatever the host has.
 */
export function containerEnv(
  { dag, ports: { hostEnv } }: ContainerEnvContext,
  step: Pick<Step, 'env'>,
  { env, params }: { readonly env: Environment; readonly params: readonly ResolvedParam[] },
): Environment {
  const named = [...dag.env, ...step.env, ...params, ...(dag.secrets ?? [])];
  const names = new Set(named.map(({ name }) => name));
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => names.has(name) || hostEnv[name] !== value));
}
