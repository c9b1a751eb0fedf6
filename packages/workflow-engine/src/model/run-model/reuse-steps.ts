import type { DagRunStep } from './dag-run';

/** The steps of a new run: those that are reused, by position, have the ends of an earlier run and log files of their own. */
export function withReusedSteps(
  nodes: readonly DagRunStep[],
  reused: ReadonlyMap<number, DagRunStep>,
): readonly DagRunStep[] {
  return nodes.map((node) => {
    const earlier = node.scope === '' ? reused.get(node.position) : undefined;
    if (earlier === undefined) return node;
    const { scope, position, name, stdoutFile, stderrFile } = node;
    // Its processes and its iterations belong to the run that executed it.
    return {
      ...earlier,
      scope,
      position,
      name,
      stdoutFile,
      stderrFile,
      pid: null,
      processStartedAt: null,
      iteration: 0,
    };
  });
}
