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
    // Its processes, its iterations and its tokens belong to the run that executed it.
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
      modelUse: null,
    };
  });
}

const leftOut = 'not among the steps to execute';

/** The steps of a new run of which only some execute: the others are skipped, and hold back none of these. */
export function withOnlySteps(
  nodes: readonly DagRunStep[],
  only: ReadonlySet<number>,
  finishedAt: Date,
): readonly DagRunStep[] {
  return nodes.map((node) =>
    node.scope !== '' || only.has(node.position) ? node : { ...node, status: 'skipped', finishedAt, error: leftOut },
  );
}

/** Whether the step was not among those to execute when its run was started. */
export function isLeftOut({ status, error }: Pick<DagRunStep, 'status' | 'error'>): boolean {
  return status === 'skipped' && error === leftOut;
}
