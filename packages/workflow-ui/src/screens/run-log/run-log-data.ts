import type { Schemas } from '../../api/client';

type Details = Schemas['DAGRunDetailsResponse'];

/** What writes the log: the step, or the run. */
export interface Writer {
  readonly status: Schemas['StatusLabel'] | Schemas['NodeStatusLabel'];
  readonly startedAt: string;
  readonly hasEnded: boolean;
}

/** Undefined where the run has no such step. */
export function writerOf({ dagRunDetails: run }: Details, step: string | undefined): Writer | undefined {
  const hasEnded = run.finishedAt !== '';
  if (step === undefined) return { status: run.statusLabel, startedAt: run.startedAt, hasEnded };
  const node = allNodes(run).find((candidate) => candidate.step.name === step);
  return node === undefined
    ? undefined
    : { status: node.statusLabel, startedAt: node.startedAt, hasEnded: hasEnded || node.finishedAt !== '' };
}

/** Steps, and the handlers that have run. */
export function allNodes(run: Schemas['DAGRunDetails']): readonly Schemas['Node'][] {
  const { onInit, onSuccess, onFailure, onAbort, onExit, onWait } = run;
  return [
    ...run.nodes,
    ...[onInit, onSuccess, onFailure, onAbort, onExit, onWait].filter((node) => node !== undefined),
  ];
}
