import { planDag } from '../../model/plan/plan';
import { createScopeOutputs } from '../outputs/scope-outputs';
import type { StepOutputs } from '../../model/run-model/step-outputs';
import type { DagRunStep } from '../../model/run-model/dag-run';
import { resolveStep } from './resolve-step';
import { resolveRunValues, type RunSources } from './run-values';
import { readFeedback } from './step-info';
import { hostEnvironment } from '../environment/host-environment';
import { runVariableNames, type Environment } from '../environment/run-variables';

export interface SeenSources extends RunSources {
  /** The DAG without its base configurations. */
  readonly ownDag: RunSources['dag'];
}

/** A step of the DAG, with what is stored of all its steps. */
export interface SeenStep {
  /** Its index among the steps of the DAG. */
  readonly index: number;
  readonly steps: readonly DagRunStep[];
  readonly outputs: ReadonlyMap<number, StepOutputs>;
}

/** The variables with their values, by what they come from. */
export interface SeenEnvironment {
  /** The variables that the run or the step gets. */
  readonly values: Environment;
  /** The variables about the run and the step. */
  readonly run: Environment;
  /** Names that steps before it have published, and that people have answered. */
  readonly published: readonly string[];
}

/** Stands for every value that is withheld. */
export const withheld = '*****';

/**
 * What a run or one of its steps got, as far as it follows from what is stored. Values of secrets, of environment
 * files, of profiles, of the base configuration and of what an operator passes through are withheld, also where others refer to
 * them. Throws `resolved_text_too_long`.
 */
export function seenEnvironment(sources: SeenSources, seen?: SeenStep): SeenEnvironment {
  const { run, dag } = sources;
  const values = resolveRunValues(withholdValues(sources), run.resolvedParams, hide(run.fileVariables));
  const secrets = hide((dag.secrets ?? []).map(({ name }) => name));
  const env = { ...values.env, ...secrets };
  const scope = { ...values.scope, env: new Map(Object.entries(env)) };
  const step = seen && dag.steps[seen.index];
  const stored = seen?.steps.find(({ position }) => position === seen.index);
  if (seen === undefined || step === undefined || stored === undefined) {
    return { values: env, run: onlyRunVariables(env), published: [] };
  }
  const outputs = createScopeOutputs({ plan: planDag(dag.steps), ...seen });
  const upstream = outputs.findUpstream(seen.index);
  const resolved = resolveStep({
    step,
    stored,
    upstream,
    values: { ...values, env, scope },
    iterations: stored.doneCount,
  });
  return {
    values: resolved.env,
    run: onlyRunVariables(resolved.env),
    published: Object.keys({ ...upstream.env, ...readFeedback(stored) }),
  };
}

function withholdValues(sources: SeenSources): RunSources {
  const { run, dag, ownDag, hostEnv, passthrough } = sources;
  const ownNames = new Set(ownDag.env.map(({ name }) => name));
  const ownConsts = new Set((ownDag.consts ?? []).map(({ name }) => name));
  const added = Object.keys(hostEnvironment(hostEnv, passthrough)).filter(
    (name) => !(name in hostEnvironment(hostEnv)),
  );
  return {
    ...sources,
    run: {
      ...run,
      profileLayers: run.profileLayers.map((layer) => ({
        ...layer,
        variables: hide([...Object.keys(layer.variables), ...layer.secrets]),
      })),
    },
    hostEnv: { ...hostEnv, ...hide(added) },
    dag: {
      ...dag,
      env: dag.env.map((entry) => (ownNames.has(entry.name) ? entry : { ...entry, value: withheld })),
      consts: (dag.consts ?? []).map((entry) => (ownConsts.has(entry.name) ? entry : { ...entry, value: withheld })),
    },
  };
}

function hide(names: readonly string[]): Environment {
  return Object.fromEntries(names.map((name) => [name, withheld]));
}

function onlyRunVariables(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => runVariableNames.has(name)));
}
