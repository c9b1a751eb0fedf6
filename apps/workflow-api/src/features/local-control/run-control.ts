import { AppError, isAppError } from '@weir/errors';
import { runStatus, type RunStatus, type DagRunSummary } from '@weir/workflow-engine';
import { hasErrors } from '@weir/workflow-spec';
import type { SpecReader } from '../../dag-parser';
import { dagRunNotFound, type DagRunRepository, type RunStopper, type StartOptions, type StartRun } from '../dag-runs';
import { specInvalid } from '../dags';
import type { RemoveRun } from '../retention';
import type { RunSnapshot, StartRequest } from './control-contract';
import type { HistoryQuery, Removed, RemoveQuery, RunAddress, RunView, StoppedRun } from './control-messages';
import type { ParamsOfRun } from './decision-messages';
import { createRunDecisions, type RunDecisions, type RunDecisionsDependencies } from './run-decisions';
import { readRunSnapshot } from './run-snapshot';

/** What the command line does to runs, in the process that has the database or through it. */
export interface RunControl extends RunDecisions {
  /** Stores a run as queued. Throws what the run is refused for. */
  enqueue(request: StartRequest): Promise<RunSnapshot>;
  /** The newest run of the DAG unless one is named. Throws `dag_run_not_found`. */
  status(run: RunAddress): Promise<RunSnapshot>;
  /** Of a run whose parameters another run is to be given. */
  paramsOf(run: RunAddress): Promise<ParamsOfRun>;
  /** Newest first. */
  history(query: HistoryQuery): Promise<readonly RunView[]>;
  /** Every active run of the DAG unless one is named. Throws `dag_run_not_found` or `not_running`. */
  stop(run: RunAddress): Promise<readonly StoppedRun[]>;
  /** Every queued run of the DAG unless one is named. Throws `dag_run_not_found` or `not_queued`. */
  dequeue(run: RunAddress): Promise<readonly StoppedRun[]>;
  /** Forgets ended runs with their logs, some hundred a call. Throws `dag_run_not_found` or `dag_run_active`. */
  remove(query: RemoveQuery): Promise<Removed>;
  /** File names of the suspended DAGs. */
  suspended(): Promise<readonly string[]>;
}

export interface RunControlDependencies extends Pick<RunDecisionsDependencies, 'gates' | 'retrier'> {
  readonly runs: DagRunRepository;
  readonly specs: SpecReader;
  readonly startRun: StartRun;
  readonly stopper: RunStopper;
  readonly listSuspended: () => Promise<readonly string[]>;
  readonly removeRun: RemoveRun;
}

const latest = 'latest';
const pageSize = 500;
const maxScanned = 10_000;
const removedAtOnce = 100;
const everywhere = { unassigned: true, named: 'all' } as const;

export function createRunControl(dependencies: RunControlDependencies): RunControl {
  const { runs, stopper, listSuspended } = dependencies;
  const named = async (dagName: string, dagRunId: string): Promise<DagRunSummary> => {
    const run = await runs.find(dagName, dagRunId);
    if (run === undefined) throw dagRunNotFound(dagName, dagRunId);
    return run;
  };
  const looked = async ({ dagName, dagRunId = latest }: RunAddress): Promise<DagRunSummary> => {
    const run = dagRunId === latest ? await runs.findLatest(dagName) : await runs.find(dagName, dagRunId);
    if (run !== undefined) return run;
    if (dagRunId !== latest) throw dagRunNotFound(dagName, dagRunId);
    throw new AppError('not_found', `There is no run of the DAG "${dagName}".`, { reason: 'dag_run_not_found' });
  };
  /** The one that is named, or all in these statuses. */
  const meant = async (
    address: RunAddress,
    isMeant: (status: RunStatus) => boolean,
    word: string,
  ): Promise<readonly DagRunSummary[]> => {
    if (address.dagRunId !== undefined) return [await named(address.dagName, address.dagRunId)];
    const statuses = runStatus.all.filter(isMeant);
    const found = await scanAll(runs, { dagName: address.dagName, statuses, limit: maxScanned });
    if (found.length > 0) return found;
    throw new AppError('not_found', `No run of the DAG "${address.dagName}" is ${word}.`, { reason: 'not_running' });
  };

  return {
    enqueue: async (request) => snapshotOf(runs, (await startStored(dependencies, request)).id),
    status: async (address) => snapshotOf(runs, (await looked(address)).id),
    history: async (query) => (await scanAll(runs, query)).map(viewOf),
    stop: async (address) => {
      const stopped: StoppedRun[] = [];
      for (const run of await meant(address, runStatus.isActive, 'active')) {
        const outcome = await unlessEnded(stopper.stop(run), address);
        if (outcome !== undefined) stopped.push({ dagName: run.dagName, dagRunId: run.dagRunId, outcome });
      }
      return stopped;
    },
    dequeue: async (address) => {
      const stopped: StoppedRun[] = [];
      for (const run of await meant(address, runStatus.isQueued, 'queued')) {
        const isDequeued = await unlessClaimed(stopper.dequeue(run), address);
        if (isDequeued) stopped.push({ dagName: run.dagName, dagRunId: run.dagRunId, outcome: 'aborted' });
      }
      return stopped;
    },
    remove: async (query) => {
      const { dagName, dagRunId } = query;
      if (dagName === undefined || dagRunId === undefined) return removeEnded(dependencies, query);
      return removeOne(dependencies, await named(dagName, dagRunId));
    },
    paramsOf: async (address) => paramsOf(await looked(address)),
    suspended: () => listSuspended(),
    ...createRunDecisions({
      ...dependencies,
      runsOfId: (dagRunId) => scanAll(runs, { dagRunId, limit: 2 }),
      snapshot: (id) => snapshotOf(runs, id),
    }),
  };
}

/** One of many may end while the others are asked. */
async function unlessEnded<T>(stopped: Promise<T>, { dagRunId }: RunAddress): Promise<T | undefined> {
  try {
    return await stopped;
  } catch (error) {
    if (dagRunId === undefined && isAppError(error) && error.reason === 'not_running') return undefined;
    throw error;
  }
}

/** Whether it was taken out of the queue. One of many may be claimed while the others are taken out. */
async function unlessClaimed(dequeued: Promise<void>, { dagRunId }: RunAddress): Promise<boolean> {
  try {
    await dequeued;
    return true;
  } catch (error) {
    if (dagRunId === undefined && isAppError(error) && error.reason === 'not_queued') return false;
    throw error;
  }
}

/** Stores a run of the text that is given, read as this process reads DAGs. */
export async function startStored(
  { specs, startRun }: Pick<RunControlDependencies, 'specs' | 'startRun'>,
  { specText, name, fileName, ...options }: StartRequest,
  { isImmediate = false }: Pick<StartOptions, 'isImmediate'> = {},
) {
  const { dag, findings, baseTexts } = await specs.parse(specText, { name });
  if (hasErrors(findings)) throw specInvalid(findings);
  return startRun({ dag, specText, baseTexts, fileName }, { ...options, isImmediate });
}

export async function snapshotOf(runs: DagRunRepository, id: string): Promise<RunSnapshot> {
  const snapshot = await readRunSnapshot(runs, id);
  if (snapshot === undefined) throw new AppError('not_found', 'There is no such run.', { reason: 'dag_run_not_found' });
  return snapshot;
}

async function scanAll(
  runs: DagRunRepository,
  { dagRunId, limit, ...filters }: HistoryQuery,
): Promise<readonly DagRunSummary[]> {
  const found: DagRunSummary[] = [];
  let after: DagRunSummary | undefined;
  for (let scanned = 0; scanned < maxScanned && found.length < limit; scanned += pageSize) {
    const page = await runs.scan({ ...filters, workspaces: everywhere, limit: pageSize, after });
    found.push(...page.filter((run) => dagRunId === undefined || run.dagRunId === dagRunId));
    after = page.at(-1);
    if (page.length < pageSize) break;
  }
  return found.slice(0, limit);
}

async function removeOne({ removeRun }: RunControlDependencies, run: DagRunSummary): Promise<Removed> {
  if (!(await removeRun(run))) throw runActive(run);
  return { count: 1 };
}

function paramsOf({ dagRunId, params }: DagRunSummary): ParamsOfRun {
  return { dagRunId, params };
}

async function removeEnded(dependencies: RunControlDependencies, query: RemoveQuery): Promise<Removed> {
  const { dagName, endedBefore, after } = query;
  const page = await dependencies.runs.scan({
    dagName,
    statuses: runStatus.all.filter(runStatus.isTerminal),
    // A run ends after it was made, so nothing that is meant is left out.
    to: endedBefore,
    workspaces: everywhere,
    limit: removedAtOnce,
    after,
  });
  let count = 0;
  for (const run of page) {
    const isMeant = endedBefore === undefined || (run.finishedAt !== null && run.finishedAt < endedBefore);
    if (isMeant && (await dependencies.removeRun(run))) count += 1;
  }
  const last = page.at(-1);
  if (last === undefined || page.length < removedAtOnce) return { count };
  return { count, next: { createdAt: last.createdAt, dagName: last.dagName, id: last.id } };
}

function runActive({ dagRunId }: DagRunSummary): AppError {
  return new AppError('conflict', `The run "${dagRunId}" is active: stop it first.`, { reason: 'dag_run_active' });
}

function viewOf(run: DagRunSummary): RunView {
  return {
    dagName: run.dagName,
    dagRunId: run.dagRunId,
    status: run.status,
    triggerType: run.triggerType,
    queueName: run.queueName,
    workspace: run.workspace,
    labels: [...run.labels],
    createdAt: run.createdAt,
    queuedAt: run.queuedAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    scheduleTime: run.scheduleTime,
    isStopping: run.stopRequestedAt !== null && !runStatus.isTerminal(run.status),
    error: run.error,
  };
}
