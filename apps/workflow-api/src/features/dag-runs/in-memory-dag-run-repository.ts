import { isActiveNode, isActiveRun, isRunningRun, isUnstartedNode } from '@weir/workflow-engine';
import { summaryOf, type DagRun, type DagRunStep } from './dag-run';
import { dagRunActive, dagRunExists } from './dag-run-errors';
import type { DagRunRepository, OrphanEnd, RunPosition, RunScan } from './dag-run-repository';

/** For specs. Held to the same contract suite as the Prisma repository. */
export function createInMemoryDagRunRepository(): DagRunRepository {
  const tables: Tables = { runs: new Map(), steps: new Map(), heads: new Map() };
  return { ...readsOf(tables), ...runnerReadsOf(tables), ...changesOf(tables) };
}

interface Tables {
  readonly runs: Map<string, DagRun>;
  readonly steps: Map<string, readonly DagRunStep[]>;
  /** The newest run of each DAG name. */
  readonly heads: Map<string, string>;
}

type Reads = 'hasActive' | 'find' | 'findLatest' | 'findById' | 'stepsOf' | 'latestOf' | 'scan';
type RunnerReads = 'listQueued' | 'listRunningNotOwnedBy';

function readsOf({ runs, steps, heads }: Tables): Pick<DagRunRepository, Reads> {
  const latest = (dagName: string): DagRun | undefined => runs.get(heads.get(dagName) ?? '');
  return {
    hasActive: (dagName) => Promise.resolve(hasActive(runs, dagName)),
    find: (dagName, dagRunId) => Promise.resolve(find(runs, dagName, dagRunId)),
    findLatest: (dagName) => Promise.resolve(latest(dagName)),
    findById: (id) => Promise.resolve(runs.get(id)),
    stepsOf: (id) => Promise.resolve(steps.get(id) ?? []),
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
  };
}

// Async functions where something can be refused, so that a refusal is a rejection here as it is with a database.
function changesOf({ runs, steps, heads }: Tables): Omit<DagRunRepository, Reads | RunnerReads> {
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
      if (isFree) runs.set(id, { ...run, status: 'running', ownerId, startedAt: at });
      return Promise.resolve(isFree);
    },
    record: (id, ownerId, changes, end) => {
      const run = owned(id, ownerId);
      if (run === undefined) return Promise.resolve(false);
      runs.set(id, { ...run, ...end });
      const patches = new Map(changes.map((patch) => [patch.position, patch]));
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
      if (run === undefined) return Promise.resolve(false);
      runs.set(id, { ...run, status: 'failed', finishedAt: end.at, error: end.error });
      steps.set(
        id,
        (steps.get(id) ?? []).map((step) => settled(step, end)),
      );
      return Promise.resolve(true);
    },
  };
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

function isInScan(run: DagRun, { statuses, from, to, workspaces, after }: RunScan): boolean {
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
