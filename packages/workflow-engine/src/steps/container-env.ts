import type { Environment } from '../environment/run-variables';
import type { Step } from '@weir/workflow-spec';
import type { StepCommandOptions } from './step-command';

export interface HostEnv {
  /** The server's own environment. */
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
}

/**
 * What a container is told of the environment of a step: all but what is only this host's own, such as its `PATH`. A
 * variable that the DAG or the step names goes in, whatever the host has.
 */
export function containerEnv(
  { dag, values, hostEnv = {} }: Pick<StepCommandOptions, 'dag' | 'values'> & HostEnv,
  step: Pick<Step, 'env'>,
  env: Environment,
): Environment {
  const named = [...dag.env, ...step.env, ...values.params, ...(dag.secrets ?? [])];
  const names = new Set(named.map(({ name }) => name));
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => names.has(name) || hostEnv[name] !== value));
}
