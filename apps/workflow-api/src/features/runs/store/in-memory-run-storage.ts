import {
  nodeStatus,
  nodeKey,
  type DagRun,
  type DagRunStep,
  type RunTransition,
  type StepPatch,
} from '@weir/workflow-engine/model';
import { nextAttempts, type RecordedAttempt } from '../../queue/store';
import type { RunTables } from './in-memory-run-tables';
import type { RunState, RunStorage, RunTransaction } from './run-storage';
import { isWithin } from './step-scope';

export function createInMemoryRunStorage(tables: RunTables): RunStorage {
  const transaction: RunTransaction = {
    load: (id) => Promise.resolve(loadRun(tables, id)),
    commit: (id, change) => Promise.resolve(commitRun(tables, id, change)),
    enqueue: (item) => Promise.resolve(void tables.items.set(item.runId, item)),
    removeFromQueue: (id) => Promise.resolve(void tables.items.delete(id)),
    recordAttempt: (id, ended, next) => {
      storeAttempts(tables, id, { ended, next });
      tables.deadLetters.delete(id);
      return Promise.resolve();
    },
  };
  return {
    transaction: (audit, work) => tables.exclusively(() => work(transaction, audit.record)),
    commit: (id, change) => tables.exclusively(async () => (await transaction.commit(id, change)) !== undefined),
    notifyQueue: () => tables.onQueued(),
    notifyWaiters: (id) => tables.listeners.notify(id),
  };
}

export function storeAttempts({ attempts }: RunTables, id: string, recorded: RecordedAttempt): void {
  const stored = attempts.get(id) ?? [];
  const { ended, begun } = nextAttempts(stored.at(-1), recorded);
  attempts.set(id, [...stored.slice(0, -1), ended, begun]);
}

export function loadRun({ runs, steps }: RunTables, id: string): RunState | undefined {
  const run = runs.get(id);
  return run && { ...run, waitingSteps: (steps.get(id) ?? []).filter(({ status }) => nodeStatus.isWaiting(status)) };
}

/** Returns the run as it is stored afterwards, or `undefined` when it is not as the transition expects. */
export function commitRun(
  tables: RunTables,
  id: string,
  { expected, patch, steps }: RunTransition,
): DagRun | undefined {
  const run = tables.runs.get(id);
  const names = Object.keys(expected) as readonly (keyof typeof expected)[];
  if (run === undefined || names.some((name) => run[name] !== expected[name])) return undefined;
  const committed = { ...run, ...patch };
  tables.runs.set(id, committed);
  deleteScopes(tables, id, steps.deletedScopes);
  addMissingSteps(tables, id, steps.added ?? []);
  patchSteps(tables, id, steps.patches);
  const { every } = steps;
  if (every !== undefined) {
    mapSteps(tables, id, (step) => (nodeStatus.canMove(step.status, every.status) ? { ...step, ...every } : step));
  }
  return committed;
}

function patchSteps(tables: RunTables, id: string, patches: readonly StepPatch[]): void {
  for (const { outputs, memo, scope = '', ...patch } of patches) {
    const key = nodeKey({ scope, position: patch.position });
    store(tables.outputs, id, { key, value: outputs });
    store(tables.memos, id, { key, value: memo });
    mapSteps(tables, id, (step) => (nodeKey(step) === key ? { ...step, ...patch } : step));
  }
}

function store<T>(
  table: Map<string, Map<string, T>>,
  id: string,
  { key, value }: { readonly key: string; readonly value: T | null | undefined },
): void {
  if (value === undefined) return;
  const ofRun = table.get(id) ?? new Map<string, T>();
  if (value === null) ofRun.delete(key);
  else ofRun.set(key, value);
  table.set(id, ofRun);
}

function mapSteps({ steps }: RunTables, id: string, change: (step: DagRunStep) => DagRunStep): void {
  steps.set(id, (steps.get(id) ?? []).map(change));
}

function addMissingSteps({ steps }: RunTables, id: string, added: readonly DagRunStep[]): void {
  if (added.length === 0) return;
  const existing = steps.get(id) ?? [];
  const keys = new Set(existing.map(nodeKey));
  steps.set(id, [...existing, ...added.filter((step) => !keys.has(nodeKey(step)))]);
}

function deleteScopes(tables: RunTables, id: string, scopes: readonly DagRunStep['scope'][]): void {
  if (scopes.length === 0) return;
  const existing = tables.steps.get(id) ?? [];
  const isDeleted = ({ scope }: DagRunStep): boolean => scopes.some((root) => isWithin(scope, root));
  for (const step of existing.filter(isDeleted)) {
    tables.outputs.get(id)?.delete(nodeKey(step));
    tables.memos.get(id)?.delete(nodeKey(step));
  }
  tables.steps.set(
    id,
    existing.filter((step) => !isDeleted(step)),
  );
}
