import {
  isActiveRun,
  isFailedRun,
  isRunningRun,
  isTerminalRun,
  isWaitingNode,
  isWaitingRun,
  nodeKey,
  type DagRun,
  type DagRunStep,
  type Lease,
  type StepScope,
} from '@weir/workflow-engine';
import { toSummary } from '../run-summary';
import { dagRunActive, dagRunExists } from '../dag-run-errors';
import type { DagRunRepository, RunScan } from './dag-run-repository';
import {
  abortRun,
  addMissingSteps,
  childrenOf,
  comparePlaces,
  compareTexts,
  createRunTables,
  forgetScopes,
  patchSteps,
  resumeRun,
  wakeParent,
  type RunTables,
} from './in-memory-run-tables';
import { toQueueItem } from './queue-item';

/** For specs. Held to the same contract suite as the Prisma repository. */
export function createInMemoryDagRunRepository(tables: RunTables = createRunTables()): DagRunRepository {
  return {
    subscribe: tables.listeners.subscribe,
    ...readsOf(tables),
    ...stepReadsOf(tables),
    ...ownerChangesOf(tables),
    ...resumesOf(tables),
    ...controlsOf(tables),
    // Async where something can be refused, so that a refusal is a rejection here as it is with a database.
    insert: async (run, steps, { singleton, isUnlimited }) => {
      if (singleton && hasActive(tables.runs, run.dagName)) throw dagRunActive(run.dagName);
      if (find(tables.runs, run.dagName, run.dagRunId) !== undefined) throw dagRunExists(run.dagRunId);
      insertRun(tables, run, steps);
      if (holdsPlace(run)) tables.items.set(run.id, toQueueItem(run, run.queuedAt ?? run.createdAt, isUnlimited));
      await Promise.resolve();
    },
  };
}

type Reads =
  | 'hasActive'
  | 'find'
  | 'findLatest'
  | 'findById'
  | 'listChildren'
  | 'findLatestWorkspace'
  | 'listLatest'
  | 'scan'
  | 'listRetryDue';
type StepReads = 'listSteps' | 'listAllSteps' | 'readOutputs' | 'readMemos';

function readsOf({ runs, heads }: RunTables): Pick<DagRunRepository, Reads> {
  const latest = (dagName: string): DagRun | undefined => runs.get(heads.get(dagName) ?? '');
  return {
    hasActive: (dagName) => Promise.resolve(hasActive(runs, dagName)),
    find: (dagName, dagRunId) => Promise.resolve(find(runs, dagName, dagRunId)),
    findLatest: (dagName) => Promise.resolve(latest(dagName)),
    findById: (id) => Promise.resolve(runs.get(id)),
    listChildren: (parentId, parentNode) => {
      const found = childrenOf({ runs }, parentId);
      const asked = found.filter((run) => parentNode === undefined || run.parentNode === parentNode);
      return Promise.resolve(asked.map(toSummary));
    },
    findLatestWorkspace: (dagName) => Promise.resolve(latest(dagName)),
    listLatest: (dagNames) => {
      const found = dagNames.flatMap((name) => latest(name) ?? []);
      return Promise.resolve(new Map(found.map((run) => [run.dagName, toSummary(run)])));
    },
    listRetryDue: ({ at, exceptFiles, limit }) => {
      const due = [...runs.values()].filter(
        ({ status, retryAt, fileName }) =>
          isFailedRun(status) && retryAt !== null && retryAt <= at && !exceptFiles.includes(fileName ?? ''),
      );
      const byTime = (left: DagRun, right: DagRun): number => Number(left.retryAt) - Number(right.retryAt);
      return Promise.resolve(due.toSorted(byTime).slice(0, limit).map(toSummary));
    },
    scan: (scan) => {
      const found = [...runs.values()].filter((run) => isInScan(run, scan));
      const ordered = found.toSorted((left, right) => comparePlaces(right, left));
      return Promise.resolve(ordered.slice(0, scan.limit).map(toSummary));
    },
  };
}

function stepReadsOf({ steps, outputs, memos }: RunTables): Pick<DagRunRepository, StepReads> {
  const nodes = (id: string): readonly DagRunStep[] => {
    const byPlace = (left: DagRunStep, right: DagRunStep): number =>
      compareTexts(left.scope, right.scope) || left.position - right.position;
    return (steps.get(id) ?? []).toSorted(byPlace);
  };
  const inScope = (id: string, scope: StepScope = '') => nodes(id).filter((step) => step.scope === scope);
  const kept = <T>(values: ReadonlyMap<string, T> | undefined, found: readonly DagRunStep[]) =>
    new Map(
      found.flatMap((step) => {
        const value = values?.get(nodeKey(step));
        return value === undefined ? [] : [[step.position, value] as const];
      }),
    );
  return {
    listSteps: (id, scope) => Promise.resolve(inScope(id, scope)),
    listAllSteps: (id) => Promise.resolve(nodes(id)),
    readOutputs: (id, scope) => Promise.resolve(kept(outputs.get(id), inScope(id, scope))),
    readMemos: (id, scope) => Promise.resolve(kept(memos.get(id), inScope(id, scope))),
  };
}

function insertRun({ runs, steps, heads }: RunTables, run: DagRun, newSteps: readonly DagRunStep[]): void {
  runs.set(run.id, run);
  steps.set(run.id, newSteps);
  const head = runs.get(heads.get(run.dagName) ?? '');
  if (run.depth === 0 && (head === undefined || head.createdAt <= run.createdAt)) heads.set(run.dagName, run.id);
}

function holdsPlace({ status }: DagRun): boolean {
  return isActiveRun(status) && !isWaitingRun(status);
}

function ownerChangesOf(tables: RunTables): Pick<DagRunRepository, 'record' | 'storeParams' | 'addSteps'> {
  const { runs, steps, items } = tables;
  const owned = (id: string, lease: Lease): DagRun | undefined => {
    const run = runs.get(id);
    const isOwned = run !== undefined && isRunningRun(run.status) && run.ownerId === lease.ownerId;
    return isOwned && run.fencingToken === lease.token ? run : undefined;
  };
  return {
    record: (id, lease, changes, end) => {
      const run = owned(id, lease);
      if (run === undefined) return Promise.resolve(false);
      patchSteps(tables, id, changes);
      if (end === undefined) return Promise.resolve(true);
      const { waiting, ...values } = end;
      const found = (steps.get(id) ?? []).filter(({ status }) => isWaitingNode(status)).length;
      const { stopRequestedAt } = run;
      const isAnswered = waiting !== undefined && waiting !== found;
      if (!isTerminalRun(end.status) && (isAnswered || stopRequestedAt !== null)) {
        resumeRun(tables, run, run.queuedAt ?? run.createdAt, { stopRequestedAt });
        return Promise.resolve(true);
      }
      const isRetryCancelled = values.retryAt !== undefined && stopRequestedAt !== null;
      const kept = isRetryCancelled ? ({ ...values, status: 'aborted', retryAt: null } as const) : values;
      runs.set(id, { ...run, ...kept, ...(isTerminalRun(end.status) ? {} : { ownerId: null }) });
      items.delete(id);
      tables.onQueued();
      tables.listeners.notify(id);
      if (isTerminalRun(end.status)) wakeParent(tables, run, end.finishedAt ?? run.createdAt);
      return Promise.resolve(true);
    },
    storeParams: (id, lease, resolvedParams) => {
      const run = owned(id, lease);
      if (run !== undefined) runs.set(id, { ...run, resolvedParams });
      return Promise.resolve(run !== undefined);
    },
    addSteps: (id, lease, added) => {
      const run = owned(id, lease);
      if (run !== undefined) addMissingSteps(tables, id, added);
      return Promise.resolve(run !== undefined);
    },
  };
}

function resumesOf(tables: RunTables): Pick<DagRunRepository, 'requeue' | 'settleGate'> {
  const { runs, steps } = tables;
  return {
    requeue: (id, { from, at, attempt, patches, deletedScopes: forget, retry, triggerType, ownerId }) => {
      const run = runs.get(id);
      if (run === undefined || !from.includes(run.status)) return Promise.resolve(false);
      if (attempt !== undefined && attempt !== run.attempt) return Promise.resolve(false);
      if (retry === 'auto' && (run.retryAt === null || run.retryAt > at)) return Promise.resolve(false);
      forgetScopes(tables, id, forget);
      patchSteps(tables, id, patches);
      resumeRun(tables, run, at, {
        ...(triggerType === undefined ? {} : { triggerType }),
        ...(retry === undefined ? {} : { startedAt: null, attempt: run.attempt + 1 }),
        ...(retry === 'auto' ? { autoRetryCount: run.autoRetryCount + 1 } : {}),
        ...(ownerId === undefined
          ? {}
          : { status: 'running', ownerId, queuedAt: null, startedAt: at, fencingToken: run.fencingToken + 1 }),
      });
      return Promise.resolve(true);
    },
    settleGate: (id, { step, at, patches, deletedScopes: forget, whileRunning }) => {
      const run = runs.get(id);
      const isFit = run !== undefined && isActiveRun(run.status) && (whileRunning || !isRunningRun(run.status));
      const isAsked = (each: DagRunStep): boolean =>
        nodeKey(each) === nodeKey(step) &&
        each.iteration === (step.iteration ?? each.iteration) &&
        isWaitingNode(each.status);
      if (!isFit || !(steps.get(id) ?? []).some(isAsked)) return Promise.resolve('too_late');
      forgetScopes(tables, id, forget);
      patchSteps(tables, id, patches);
      if (!isWaitingRun(run.status)) return Promise.resolve('stored');
      resumeRun(tables, run, at);
      return Promise.resolve('resumed');
    },
  };
}

type Controls = 'dequeue' | 'requestStop' | 'listStopRequested' | 'remove';

function controlsOf(tables: RunTables): Pick<DagRunRepository, Controls> {
  const { runs, heads } = tables;
  return {
    dequeue: (id, end) => {
      const run = runs.get(id);
      const isQueued = run?.status === 'queued';
      if (isQueued) abortRun(tables, run, end);
      return Promise.resolve(isQueued);
    },
    requestStop: (id, end) => {
      const run = runs.get(id);
      if (run !== undefined && isFailedRun(run.status) && run.retryAt !== null) {
        runs.set(id, { ...run, status: 'aborted', retryAt: null });
        return Promise.resolve('aborted');
      }
      if (run === undefined || !isActiveRun(run.status)) return Promise.resolve('ended');
      if (isRunningRun(run.status)) {
        runs.set(id, { ...run, stopRequestedAt: run.stopRequestedAt ?? end.at });
        return Promise.resolve('requested');
      }
      abortRun(tables, run, end);
      return Promise.resolve('aborted');
    },
    listStopRequested: (ownerId) => {
      const isAsked = (run: DagRun): boolean =>
        isRunningRun(run.status) && run.ownerId === ownerId && run.stopRequestedAt !== null;
      return Promise.resolve([...runs.values()].filter(isAsked).map(({ id }) => id));
    },
    remove: (id) => {
      const run = runs.get(id);
      const family = run === undefined ? [] : familyOf(tables, run);
      if (family.length === 0 || family.some(({ status }) => isActiveRun(status))) return Promise.resolve(false);
      for (const member of family) {
        forgetRun(tables, member.id);
        tables.listeners.notify(member.id);
      }
      if (run !== undefined && heads.get(run.dagName) === id) moveHeadBack(tables, run.dagName);
      return Promise.resolve(true);
    },
  };
}

/** The run, those that it started, those that they started, and so on. */
function familyOf(tables: RunTables, run: DagRun): readonly DagRun[] {
  return [run, ...childrenOf(tables, run.id).flatMap((child) => familyOf(tables, child))];
}

function forgetRun({ runs, steps, outputs, memos }: RunTables, id: string): void {
  for (const table of [runs, steps, outputs, memos]) table.delete(id);
}

function moveHeadBack({ runs, heads }: RunTables, dagName: string): void {
  const others = [...runs.values()].filter((run) => run.depth === 0 && run.dagName === dagName);
  const newest = others.toSorted(comparePlaces).at(-1);
  if (newest === undefined) heads.delete(dagName);
  else heads.set(dagName, newest.id);
}

function hasActive(runs: RunTables['runs'], dagName: string): boolean {
  return [...runs.values()].some((run) => run.depth === 0 && run.dagName === dagName && isActiveRun(run.status));
}

function find(runs: RunTables['runs'], dagName: string, dagRunId: string): DagRun | undefined {
  return [...runs.values()].find((run) => run.dagName === dagName && run.dagRunId === dagRunId);
}

function isInScan(run: DagRun, { dagName, statuses, from, to, workspaces, after }: RunScan): boolean {
  if (run.depth > 0) return false;
  if (dagName !== undefined && run.dagName !== dagName) return false;
  if (statuses !== undefined && !statuses.includes(run.status)) return false;
  if (from !== undefined && run.createdAt < from) return false;
  if (to !== undefined && run.createdAt >= to) return false;
  if (after !== undefined && comparePlaces(run, after) >= 0) return false;
  if (run.workspace === null) return workspaces.unassigned;
  return workspaces.named === 'all' || workspaces.named.includes(run.workspace);
}
