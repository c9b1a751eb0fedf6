import type { Node, Run } from './run-data';

/** The fields of a run that hold the steps of its handlers. */
export const handlerFields = ['onInit', 'onSuccess', 'onFailure', 'onAbort', 'onWait', 'onExit'] as const;
export type HandlerField = (typeof handlerFields)[number];

/** A step of a run in the form for the views. */
export interface StepRow {
  /** The id by which it is selected. */
  readonly id: string;
  readonly name: string;
  readonly node: Node;
  /** The handler of a handler's step. */
  readonly handler?: HandlerField;
}

/** Lists the steps in the order of the spec, then those of the handlers. */
export function listStepRows(run: Run): readonly StepRow[] {
  const steps = run.nodes.map((node) => ({ id: node.step.name, name: node.step.name, node }));
  const handlers = handlerFields.flatMap((handler) => {
    const node = run[handler];
    return node === undefined ? [] : [{ id: handler, name: node.step.name, node, handler }];
  });
  return [...steps, ...handlers];
}

/**
 * Returns the step that a run opens on: a failed, a waiting or a running one, and otherwise the last one with a
 * result. Returns `undefined` before the first step has begun.
 */
export function findOpeningStep(rows: readonly StepRow[]): StepRow | undefined {
  const first = (...labels: readonly Node['statusLabel'][]): StepRow | undefined =>
    rows.find(({ node }) => labels.includes(node.statusLabel));
  return (
    first('failed', 'rejected') ??
    first('waiting') ??
    first('running', 'retrying') ??
    rows.findLast(({ node, handler }) => handler === undefined && node.finishedAt !== '' && node.startedAt !== '')
  );
}

const goesOn: ReadonlySet<Node['statusLabel']> = new Set(['running', 'retrying', 'waiting']);

/** Returns the step whose output is followed: the same one until it ends, then the first that goes on. */
export function findFollowedStep(rows: readonly StepRow[], followed: string | undefined): StepRow | undefined {
  const active = rows.filter(({ node }) => goesOn.has(node.statusLabel));
  return active.find(({ id }) => id === followed) ?? active[0] ?? findOpeningStep(rows);
}
