import type { Dag } from '../../model/dag';
import type { Step } from '../../model/step';

const calls: ReadonlySet<string> = new Set(['dag.run', 'dag.enqueue']);

/** A step, or a handler, that starts runs of another DAG. */
export interface DagCall {
  readonly step: string;
  /** Name or path of the DAG, as written. */
  readonly dag: string;
}

/** Returns the DAGs that the DAG calls by names that are known when the file is read; DAGs of its own file are left out. */
export function calledDags(dag: Dag, localDags: readonly Pick<Dag, 'name'>[]): readonly DagCall[] {
  const local = new Set(localDags.map(({ name }) => name));
  const steps = [...dag.steps, ...Object.values(dag.handlers ?? {})];
  return steps.flatMap((step) => callsOf(step)).filter((call) => !local.has(call.dag) && !call.dag.includes('${'));
}

function callsOf({ name, run }: Step): readonly DagCall[] {
  if (run.kind === 'foreach' || run.kind === 'agent') return run.steps.flatMap((inner) => callsOf(inner));
  if (run.kind !== 'action' || run.package || !calls.has(run.action)) return [];
  return typeof run.with.dag === 'string' ? [{ step: name, dag: run.with.dag }] : [];
}
