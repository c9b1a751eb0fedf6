import {
  isActiveRun,
  isTerminalNode,
  isWaitingNode,
  isWaitingRun,
  type StepOutputs,
  nodeKey,
  type DagRun,
  type DagRunStep,
  type StepPatch,
  type StepScope,
} from '@weir/workflow-engine';
import type { JsonValue } from '@weir/workflow-spec';
import type { NewQueueItem } from '../../queue';
import type { AbortedRun, RunPosition } from './dag-run-repository';
import { createRunRestListeners, type RunRestListeners } from '../run-rest-listeners';
import { isWithin } from './prisma-run-steps';
import { toQueueItem } from './queue-item';

/** What the repository and the queue in memory work on together. */
export interface RunTables {
  readonly runs: Map<string, DagRun>;
  readonly steps: Map<string, readonly DagRunStep[]>;
  /** Of each run, by the keys of its steps. */
  readonly outputs: Map<string, Map<string, StepOutputs>>;
  readonly memos: Map<string, Map<string, JsonValue>>;
  /** The newest run of each DAG name. */
  readonly heads: Map<string, string>;
  readonly items: Map<string, NewQueueItem>;
  readonly listeners: RunRestListeners;
  /** Called when a run is in its queue again. */
  readonly onQueued: () => void;
}

export function createRunTables(onQueued: () => void = () => undefined): RunTables {
  return {
    runs: new Map(),
    steps: new Map(),
    outputs: new Map(),
    memos: new Map(),
    heads: new Map(),
    items: new Map(),
    listeners: createRunRestListeners(),
    onQueued,
  };
}

export function patchSteps(tables: RunTables, id: string, patches: readonly StepPatch[]): void {
  for (const { outputs, memo, scope = '', ...patch } of patches) {
    const key = nodeKey({ scope, position: patch.position });
    keep(tables.outputs, id, key, outputs);
    keep(tables.memos, id, key, memo);
    mapSteps(tables, id, (step) => (nodeKey(step) === key ? { ...step, ...patch } : step));
  }
}

function keep<T>(kept: Map<string, Map<string, T>>, id: string, key: string, value: T | null | undefined): void {
  if (value === undefined) return;
  const ofRun = kept.get(id) ?? new Map<string, T>();
  if (value === null) ofRun.delete(key);
  else ofRun.set(key, value);
  kept.set(id, ofRun);
}

export function mapSteps({ steps }: RunTables, id: string, change: (step: DagRunStep) => DagRunStep): void {
  steps.set(id, (steps.get(id) ?? []).map(change));
}

export function addMissingSteps({ steps }: RunTables, id: string, added: readonly DagRunStep[]): void {
  const known = steps.get(id) ?? [];
  const keys = new Set(known.map(nodeKey));
  steps.set(id, [...known, ...added.filter((step) => !keys.has(nodeKey(step)))]);
}

export function forgetScopes(tables: RunTables, id: string, forget: readonly StepScope[]): void {
  const known = tables.steps.get(id) ?? [];
  const isForgotten = ({ scope }: DagRunStep): boolean => forget.some((each) => isWithin(scope, each));
  for (const step of known.filter(isForgotten)) {
    tables.outputs.get(id)?.delete(nodeKey(step));
    tables.memos.get(id)?.delete(nodeKey(step));
  }
  tables.steps.set(
    id,
    known.filter((step) => !isForgotten(step)),
  );
}

export function resumeRun(tables: RunTables, run: DagRun, at: Date, changes: Partial<DagRun> = {}): void {
  const resumed: DagRun = {
    ...run,
    status: 'queued',
    ownerId: null,
    queuedAt: at,
    finishedAt: null,
    error: null,
    retryAt: null,
    stopRequestedAt: null,
    ...changes,
  };
  tables.runs.set(run.id, resumed);
  tables.items.set(run.id, toQueueItem(resumed, at));
  tables.onQueued();
}

/** Lets the step go on that waits for this run, if one does. */
export function wakeParent(tables: RunTables, { parentId, parentNode }: DagRun, at: Date): void {
  const parent = tables.runs.get(parentId ?? '');
  if (parent === undefined || !isActiveRun(parent.status)) return;
  const isWoken = (step: DagRunStep): boolean => nodeKey(step) === parentNode && isWaitingNode(step.status);
  if (!(tables.steps.get(parent.id) ?? []).some(isWoken)) return;
  mapSteps(tables, parent.id, (step) => (isWoken(step) ? { ...step, status: 'not_started' } : step));
  if (isWaitingRun(parent.status)) resumeRun(tables, parent, at);
}

export function abortRun(tables: RunTables, run: DagRun, { at, error }: AbortedRun): void {
  tables.runs.set(run.id, { ...run, status: 'aborted', finishedAt: at, error: null });
  tables.items.delete(run.id);
  mapSteps(tables, run.id, (step) =>
    isTerminalNode(step.status) ? step : { ...step, status: 'aborted', finishedAt: at, error },
  );
  tables.listeners.notify(run.id);
  wakeParent(tables, run, at);
}

export function childrenOf({ runs }: Pick<RunTables, 'runs'>, parentId: string): readonly DagRun[] {
  return [...runs.values()].filter((run) => run.parentId === parentId).toSorted(comparePlaces);
}

export function comparePlaces(left: RunPosition, right: RunPosition): number {
  return (
    left.createdAt.getTime() - right.createdAt.getTime() ||
    compareTexts(left.dagName, right.dagName) ||
    compareTexts(left.id, right.id)
  );
}

export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
