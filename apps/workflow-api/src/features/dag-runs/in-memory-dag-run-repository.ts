import {
  isActiveNode,
  isActiveRun,
  isRunningRun,
  isTerminalNode,
  isUnstartedNode,
  type StepOutputs,
} from '@weir/workflow-engine';
import { summaryOf, type DagRun, type DagRunStep } from './dag-run';
import { dagRunActive, dagRunExists } from './dag-run-errors';
import type { AbortedRun, DagRunRepository, OrphanEnd, RunPosition, RunScan } from './dag-run-repository';

/** For specs. Held to the same contract suite as the Prisma repository. */
export function createInMemoryDagRunRepository(): DagRunRepository {
  const tables: Tables = { runs: new Map(), steps: new Map(), outputs: new Map(), heads: new Map() };
  return { ...readsOf(tables), ...runnerReadsOf(tables), ...changesOf(tables), ...controlsOf(tables) };
}

interface Tables {
  readonly runs: Map<string, DagRun>;
  readonly steps: Map<string, readonly DagRunStep[]>;
  /** Of each run, by the places of its steps. */
  readonly outputs: Map<string, ReadonlyMap<number, StepOutputs>>;
  /** The newest run of each DAG name. */
  readonly heads: Map<string, string>;
}

type Reads = 'hasActive' | 'find' | 'findLatest' | 'findById' | 'stepsOf' | 'outputsOf' | 'latestOf' | 'scan';
type RunnerReads = 'listQueued' | 'listRunningNotOwnedBy' | 'listStopRequested';
type Controls = 'dequeue' | 'requestStop' | 'remove';

function readsOf({ runs, steps, outputs, heads }: Tables): Pick<DagRunRepository, Reads> {
  const latest = (dagName: string): DagRun | undefined => runs.get(heads.get(dagName) ?? '');
  return {
    hasActive: (dagName) => Promise.resolve(hasActive(runs, dagName)),
    find: (dagName, dagRunId) => Promise.resolve(find(runs, dagName, dagRunId)),
    findLatest: (dagName) => Promise.resolve(latest(dagName)),
    findById: (id) => Promise.resolve(runs.get(id)),
    stepsOf: (id) => Promise.resolve(steps.get(id) ?? []),
    outputsOf: (id) => Promise.resolve(outputs.get(id) ?? new Map()),
    latestOf: (dagNames) => {
      const found = dagNames.flatMap((name) => latest(name) ?? []);
      return Promise.resolve(new Map(found.map((run) => [run.dagName, summaryOf(run)])));
    },
    scan: (scan) => {
      const found = [...runs.values()].filter((run) => isInScan(run, scan));
      const ordered = found.toSorted((left, right) => comparePlaces(right, left));
      return Promise.resolve(ordered.slice(0, scan.limit).map(summaryOf));
    },
  };
}

function runnerReadsOf({ runs }: Tables): Pick<DagRunRepository, RunnerReads> {
  return {
    listQueued: (limit) => {
      const queued = [...runs.values()].filter((run) => run.status === 'queued').toSorted(comparePlaces);
      return Promise.resolve(queued.slice(0, limit).map(({ id }) => id));
    },
    listRunningNotOwnedBy: (ownerIds) => {
      const isForeign = ({ ownerId }: DagRun): boolean => ownerId === null || !ownerIds.includes(ownerId);
      const found = [...runs.values()].filter((run) => isRunningRun(run.status) && isForeign(run));
      return Promise.resolve(found.toSorted(comparePlaces).map(summaryOf));
    },
    listStopRequested: (ownerId) => {
      const isAsked = (run: DagRun): boolean =>
        isRunningRun(run.status) && run.ownerId === ownerId && run.stopRequestedAt !== null;
      return Promise.resolve([...runs.values()].filter(isAsked).map(({ id }) => id));
    },
  };
}

// Async functions where something can be refused, so that a refusal is a rejection here as it is with a database.
function changesOf(tables: Tables): Omit<DagRunRepository, Reads | RunnerReads | Controls> {
  const { runs, steps, outputs, heads } = tables;
  const owned = (id: string, ownerId: string | null): DagRun | undefined => {
    const run = runs.get(id);
    return run !== undefined && isRunningRun(run.status) && run.ownerId === ownerId ? run : undefined;
  };
  return {
    insert: async (run, newSteps, { singleton }) => {
      if (singleton && hasActive(runs, run.dagName)) throw dagRunActive(run.dagName);
      if (find(runs, run.dagName, run.dagRunId) !== undefined) throw dagRunExists(run.dagRunId);
      runs.set(run.id, run);
      steps.set(run.id, newSteps);
      const head = runs.get(heads.get(run.dagName) ?? '');
      if (head === undefined || head.createdAt <= run.createdAt) heads.set(run.dagName, run.id);
      await Promise.resolve();
    },
    claim: (id, ownerId, at) => {
      const run = runs.get(id);
      const isFree = run?.status === 'queued';
      if (isFree) runs.set(id, { ...run, status: 'running', ownerId, startedAt: at, stopRequestedAt: null });
      return Promise.resolve(isFree);
    },
    record: (id, ownerId, changes, end) => {
      const run = owned(id, ownerId);
      if (run === undefined) return Promise.resolve(false);
      runs.set(id, { ...run, ...end });
      const published = new Map(outputs.get(id));
      const patches = new Map(
        changes.map(({ outputs: each, ...patch }) => {
          if (each !== undefined) published.set(patch.position, each);
          return [patch.position, patch];
        }),
      );
      outputs.set(id, published);
      steps.set(
        id,
        (steps.get(id) ?? []).map((step) => ({ ...step, ...patches.get(step.position) })),
      );
      return Promise.resolve(true);
    },
    storeParams: (id, ownerId, resolvedParams) => {
      const run = owned(id, ownerId);
      if (run !== undefined) runs.set(id, { ...run, resolvedParams });
      return Promise.resolve(run !== undefined);
    },
    adopt: (id, from, to) => {
      const run = owned(id, from);
      if (run !== undefined) runs.set(id, { ...run, ownerId: to });
      return Promise.resolve(run !== undefined);
    },
    settleOrphan: (id, ownerId, end) => {
      const run = owned(id, ownerId);
      if (run !== undefined) settle(tables, run, end);
      return Promise.resolve(run !== undefined);
    },
  };
}

function settle(tables: Tables, run: DagRun, end: OrphanEnd): void {
  const { runs, steps } = tables;
  if (run.stopRequestedAt !== null) {
    abort(tables, run, { at: end.at, error: end.notStartedError });
    return;
  }
  runs.set(run.id, { ...run, status: 'failed', finishedAt: end.at, error: end.error });
  steps.set(
    run.id,
    (steps.get(run.id) ?? []).map((step) => settled(step, end)),
  );
}

function controlsOf(tables: Tables): Pick<DagRunRepository, Controls> {
  const { runs, steps, outputs, heads } = tables;
  return {
    dequeue: (id, end) => {
      const run = runs.get(id);
      const isQueued = run?.status === 'queued';
      if (isQueued) abort(tables, run, end);
      return Promise.resolve(isQueued);
    },
    requestStop: (id, end) => {
      const run = runs.get(id);
      if (run === undefined || !isActiveRun(run.status)) return Promise.resolve('ended');
      if (isRunningRun(run.status)) {
        runs.set(id, { ...run, stopRequestedAt: run.stopRequestedAt ?? end.at });
        return Promise.resolve('requested');
      }
      abort(tables, run, end);
      return Promise.resolve('aborted');
    },
    remove: (id) => {
      const run = runs.get(id);
      if (run === undefined || isActiveRun(run.status)) return Promise.resolve(false);
      runs.delete(id);
      steps.delete(id);
      outputs.delete(id);
      if (heads.get(run.dagName) === id) {
        const newest = [...runs.values()]
          .filter(({ dagName }) => dagName === run.dagName)
          .toSorted(comparePlaces)
          .at(-1);
        if (newest === undefined) heads.delete(run.dagName);
        else heads.set(run.dagName, newest.id);
      }
      return Promise.resolve(true);
    },
  };
}

function abort({ runs, steps }: Tables, run: DagRun, { at, error }: AbortedRun): void {
  runs.set(run.id, { ...run, status: 'aborted', finishedAt: at, error: null });
  steps.set(
    run.id,
    (steps.get(run.id) ?? []).map((step) =>
      isTerminalNode(step.status) ? step : { ...step, status: 'aborted', finishedAt: at, error },
    ),
  );
}

function settled(step: DagRunStep, { at, error, notStartedError }: OrphanEnd): DagRunStep {
  if (isActiveNode(step.status)) return { ...step, status: 'failed', finishedAt: at, error };
  if (isUnstartedNode(step.status)) return { ...step, status: 'aborted', finishedAt: at, error: notStartedError };
  return step;
}

function hasActive(runs: Tables['runs'], dagName: string): boolean {
  return [...runs.values()].some((run) => run.dagName === dagName && isActiveRun(run.status));
}

function find(runs: Tables['runs'], dagName: string, dagRunId: string): DagRun | undefined {
  return [...runs.values()].find((run) => run.dagName === dagName && run.dagRunId === dagRunId);
}

function isInScan(run: DagRun, { dagName, statuses, from, to, workspaces, after }: RunScan): boolean {
  if (dagName !== undefined && run.dagName !== dagName) return false;
  if (statuses !== undefined && !statuses.includes(run.status)) return false;
  if (from !== undefined && run.createdAt < from) return false;
  if (to !== undefined && run.createdAt >= to) return false;
  if (after !== undefined && comparePlaces(run, after) >= 0) return false;
  if (run.workspace === null) return workspaces.unassigned;
  return workspaces.named === 'all' || workspaces.named.includes(run.workspace);
}

function comparePlaces(left: RunPosition, right: RunPosition): number {
  return (
    left.createdAt.getTime() - right.createdAt.getTime() ||
    compareTexts(left.dagName, right.dagName) ||
    compareTexts(left.id, right.id)
  );
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
