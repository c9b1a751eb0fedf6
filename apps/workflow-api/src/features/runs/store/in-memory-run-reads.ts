import {
  runStatus,
  nodeKey,
  nodeStatus,
  type DagRun,
  type DagRunStep,
  type DagRunSummary,
} from '@weir/workflow-engine/model';
import { toSummary } from './run-summary';
import type { DagRunRepository } from './dag-run-repository';
import { countRuns, isInScan } from './in-memory-run-counts';
import { comparePositions, compareTexts, findChildren, type RunTables } from './in-memory-run-tables';

type Reads =
  | 'hasActive'
  | 'find'
  | 'findLatest'
  | 'findById'
  | 'listChildren'
  | 'findLatestWorkspace'
  | 'listLatest'
  | 'listSummaries'
  | 'listByRunIds'
  | 'listWithWaitingSteps'
  | 'countRuns'
  | 'scan'
  | 'listAttempts'
  | 'listRetryDue'
  | 'listOwned'
  | 'listStopRequested';
type ReadsOfDags = 'listLatestStates' | 'listRecent' | 'findNext';
type StepReads = 'listSteps' | 'listAllSteps' | 'listFailedSteps' | 'listActiveSteps' | 'readOutputs' | 'readMemos';

export function createRunReads(tables: RunTables): Pick<DagRunRepository, Reads | ReadsOfDags> {
  const { runs, heads, steps, attempts } = tables;
  const latest = (dagName: string): DagRun | undefined => runs.get(heads.get(dagName) ?? '');
  return {
    ...createReadsOfDags(tables),
    hasActive: (dagName) => Promise.resolve(hasActive(runs, dagName)),
    find: (dagName, dagRunId) => Promise.resolve(find(runs, dagName, dagRunId)),
    findLatest: (dagName) => Promise.resolve(latest(dagName)),
    findById: (id) => Promise.resolve(runs.get(id)),
    listChildren: (parentId, parentNode) => {
      const found = findChildren({ runs }, parentId);
      const asked = found.filter((run) => parentNode === undefined || run.parentNode === parentNode);
      return Promise.resolve(asked.map(toSummary));
    },
    findLatestWorkspace: (dagName) => Promise.resolve(latest(dagName)),
    listLatest: (dagNames) => {
      const found = dagNames.flatMap((name) => latest(name) ?? []);
      return Promise.resolve(new Map(found.map((run) => [run.dagName, toSummary(run)])));
    },
    listSummaries: (ids) => {
      const found = ids.flatMap((id) => runs.get(id) ?? []);
      return Promise.resolve(new Map(found.map((run) => [run.id, toSummary(run)])));
    },
    listWithWaitingSteps: () => {
      const hasWaiting = ({ id, status }: DagRun): boolean =>
        runStatus.isActive(status) && (steps.get(id) ?? []).some((step) => step.status === 'waiting');
      return Promise.resolve([...runs.values()].filter(hasWaiting).map(({ id, rootId }) => ({ id, rootId })));
    },
    listByRunIds: (dagName, dagRunIds) => {
      const found = dagRunIds.flatMap((dagRunId) => find(runs, dagName, dagRunId) ?? []);
      return Promise.resolve(new Map(found.map((run) => [run.dagRunId, toSummary(run)])));
    },
    listAttempts: (id, limit) => Promise.resolve((attempts.get(id) ?? []).slice(-limit)),
    listRetryDue: ({ at, exceptFiles, limit }) => {
      const due = [...runs.values()].filter(
        ({ status, retryAt, fileName }) =>
          runStatus.isFailed(status) && retryAt !== null && retryAt <= at && !exceptFiles.includes(fileName ?? ''),
      );
      const byTime = (left: DagRun, right: DagRun): number => Number(left.retryAt) - Number(right.retryAt);
      return Promise.resolve(due.toSorted(byTime).slice(0, limit).map(toSummary));
    },
    listOwned: (ownerIds) => Promise.resolve(listOwned(runs, ownerIds)),
    listStopRequested: (ownerId) => {
      const isRequested = (run: DagRun): boolean =>
        runStatus.isRunning(run.status) && run.ownerId === ownerId && run.stopRequestedAt !== null;
      return Promise.resolve([...runs.values()].filter(isRequested).map(({ id }) => id));
    },
    countRuns: (counting) => Promise.resolve(countRuns(runs, counting)),
    scan: (scan) => {
      const found = [...runs.values()].filter((run) => isInScan(run, scan));
      const ordered = found.toSorted((left, right) => comparePositions(right, left));
      return Promise.resolve(ordered.slice(0, scan.limit).map(toSummary));
    },
  };
}

function createReadsOfDags({ runs, heads }: RunTables): Pick<DagRunRepository, ReadsOfDags> {
  return {
    listLatestStates: () => {
      const found = [...heads.keys()].flatMap((name) => runs.get(heads.get(name) ?? '') ?? []);
      return Promise.resolve(new Map(found.map(({ dagName, status, workspace }) => [dagName, { status, workspace }])));
    },
    listRecent: (dagNames, limit) => {
      const recent = dagNames.map(
        (dagName) => [dagName, newestOf(runs, dagName).slice(0, limit).map(toSummary)] as const,
      );
      return Promise.resolve(new Map(recent.filter(([, found]) => found.length > 0)));
    },
    findNext: (position, workspaces) => {
      const { dagName } = position;
      const visible = newestOf(runs, dagName).filter((run) => isInScan(run, { workspaces, limit: 1 }));
      return Promise.resolve(visible.findLast((run) => comparePositions(run, position) > 0));
    },
  };
}

export function createStepReads({ steps, outputs, memos }: RunTables): Pick<DagRunRepository, StepReads> {
  const nodes = (id: string): readonly DagRunStep[] => {
    const byKey = (left: DagRunStep, right: DagRunStep): number =>
      compareTexts(left.scope, right.scope) || left.position - right.position;
    return (steps.get(id) ?? []).toSorted(byKey);
  };
  const inScope = (id: string, scope: DagRunStep['scope'] = '') => nodes(id).filter((step) => step.scope === scope);
  const select = <T>(values: ReadonlyMap<string, T> | undefined, found: readonly DagRunStep[]) =>
    new Map(
      found.flatMap((step) => {
        const value = values?.get(nodeKey(step));
        return value === undefined ? [] : [[step.position, value] as const];
      }),
    );
  return {
    listSteps: (id, scope) => Promise.resolve(inScope(id, scope)),
    listAllSteps: (id) => Promise.resolve(nodes(id)),
    listFailedSteps: (ids) => {
      const byEnd = (left: DagRunStep, right: DagRunStep): number => Number(left.finishedAt) - Number(right.finishedAt);
      const failedOf = (id: string) =>
        nodes(id)
          .filter(({ status }) => status === 'failed')
          .toSorted(byEnd);
      const found = ids.map((id) => [id, failedOf(id)] as const);
      return Promise.resolve(new Map(found.filter(([, failed]) => failed.length > 0)));
    },
    listActiveSteps: (ids) => {
      const isCurrent = ({ scope, status }: DagRunStep): boolean =>
        nodeStatus.isActive(status) && (scope === '' || scope.startsWith('on/'));
      const namesOf = (id: string) => nodes(id).flatMap((step) => (isCurrent(step) ? [step.name] : []));
      const found = ids.map((id) => [id, namesOf(id)] as const);
      return Promise.resolve(new Map(found.filter(([, active]) => active.length > 0)));
    },
    readOutputs: (id, scope) => Promise.resolve(select(outputs.get(id), inScope(id, scope))),
    readMemos: (id, scope) => Promise.resolve(select(memos.get(id), inScope(id, scope))),
  };
}

export function hasActive(runs: RunTables['runs'], dagName: string): boolean {
  return [...runs.values()].some((run) => run.depth === 0 && run.dagName === dagName && runStatus.isActive(run.status));
}

function listOwned(runs: RunTables['runs'], ownerIds: readonly string[]): readonly DagRunSummary[] {
  const isOwned = ({ status, ownerId }: DagRun): boolean =>
    runStatus.isRunning(status) && ownerId !== null && ownerIds.includes(ownerId);
  const byStart = (left: DagRun, right: DagRun): number => Number(left.startedAt) - Number(right.startedAt);
  return [...runs.values()].filter(isOwned).toSorted(byStart).map(toSummary);
}

function newestOf(runs: RunTables['runs'], dagName: string): readonly DagRun[] {
  const found = [...runs.values()].filter((run) => run.depth === 0 && run.dagName === dagName);
  return found.toSorted((left, right) => comparePositions(right, left));
}

export function find(runs: RunTables['runs'], dagName: string, dagRunId: string): DagRun | undefined {
  return [...runs.values()].find((run) => run.dagName === dagName && run.dagRunId === dagRunId);
}
