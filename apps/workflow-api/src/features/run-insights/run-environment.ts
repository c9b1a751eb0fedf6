import type { DagRunEnvironmentResponse } from '@weir/workflow-contract';
import { hostEnvironment, runVariables, type DagRun, type HostPassthrough } from '@weir/workflow-engine';
import { declaredParams, type Dag } from '@weir/workflow-spec';

export interface EnvironmentSources {
  readonly run: DagRun;
  /** With the base configurations. */
  readonly dag: Dag;
  /** Without them. */
  readonly ownDag: Dag;
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  readonly passthrough: HostPassthrough;
}

type Variable = DagRunEnvironmentResponse['variables'][number];

const mask = '*****';
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The variables of a run and its steps in the order in which the engine merges them. Values of the server and of the
 * base configuration are left out: whoever may see a run may see neither.
 */
export function listEnvironment({ run, dag, ownDag, hostEnvironment: host, passthrough }: EnvironmentSources) {
  const own = new Set(ownDag.env.map(({ name }) => name));
  const params = declaredParams(dag, run.resolvedParams).filter(({ name }) => variableName.test(name));
  const ofRun = runVariables({
    dagName: run.dagName,
    runId: run.dagRunId,
    runLogFile: run.logFile,
    workDir: run.workDir,
    params: run.resolvedParams,
    fencingToken: run.fencingToken,
    ...(run.artifactsDir === null ? {} : { artifactsDir: run.artifactsDir }),
  });
  const variables: readonly Omit<Variable, 'isReplaced'>[] = [
    ...Object.keys(hostEnvironment(host, passthrough)).map((name) => ({ name, source: 'host' as const })),
    ...params.map(({ name, value }) => ({ name, source: 'parameter' as const, value })),
    ...dag.env.map(({ name, value }) =>
      own.has(name) ? { name, source: 'dag' as const, value } : { name, source: 'base' as const },
    ),
    ...(dag.secrets ?? []).map(({ name }) => ({ name, source: 'secret' as const, value: mask })),
    ...Object.entries(ofRun).map(([name, value]) => ({ name, source: 'run' as const, value })),
    ...dag.steps.flatMap((step) =>
      step.env.map(({ name, value }) => ({ name, source: 'step' as const, step: step.name, value })),
    ),
  ];
  const last = new Map(variables.flatMap(({ name, step }, index) => (step === undefined ? [[name, index]] : [])));
  return variables.map((variable, index): Variable => {
    return { ...variable, isReplaced: variable.step === undefined && last.get(variable.name) !== index };
  });
}
