import path from 'node:path';
import { AppError } from '@weir/foundation';
import { findLocalDag, isDagName } from '@weir/workflow-spec';
import {
  dagInOtherWorkspace,
  mayCall,
  toLocalSource,
  type ReadProfileSecret,
  type ReadStoredSecret,
  type StateStore,
} from '@weir/workflow-engine';
import {
  matchesSelector,
  maxRunDepth,
  nodeKey,
  runStatus,
  type Clock,
  type DagRun,
  type DagRunStep,
  type RunEvent,
  type RunSource,
  type WorkerLabels,
} from '@weir/workflow-engine/model';
import { unaudited } from '../../access/audited-operation';
import type { DagParsers } from '../../dag-parser';
import type { QueueDriver } from '../queue/store';
import { remoteLeaseMs, remoteWorkerPrefix } from '../queue/store/remote-owner';
import { parseStored, type DagRunRepository } from '../runs';
import { labelsOfToken, type StoredChildRuns, type WorkerRepository } from '../worker';
import { protocolVersion, type AnswerOf, type CallName, type RemoteEvent, type RequestOf } from './protocol';
import { createRunAccess } from './run-access';
import { objectsOf, runFolders } from './run-folders';
import type { ObjectStorage } from '../../run-files';

/** The worker that calls, as its token says. */
export interface Caller {
  readonly token: { readonly id: string; readonly name: string; readonly labels: WorkerLabels };
  /** Empty only in `hello`. */
  readonly workerId: string;
  /** Aborted when the worker does not wait for the answer any more. */
  readonly signal: AbortSignal;
}

export interface WorkerCallPorts {
  readonly runs: DagRunRepository;
  readonly queue: Pick<QueueDriver<never>, 'claim' | 'listClaims' | 'fail' | 'subscribe' | 'watch'>;
  readonly workers: WorkerRepository;
  readonly state: StateStore;
  readonly children: StoredChildRuns;
  readonly parsers: Pick<DagParsers, 'forServer'>;
  readonly readStoredSecret: ReadStoredSecret;
  readonly readProfileSecret: ReadProfileSecret;
  readonly isShared: boolean;
  /** The bucket of logs and artifacts; they are in folders of this server when it is missing. */
  readonly objects?: ObjectStorage | undefined;
  readonly dagsFolder: string;
  readonly logFolder: string;
  readonly dataFolder: string;
  readonly createId: () => string;
  readonly clock: Clock;
}

/** What the server answers is turned into JSON, so a map is a list of its entries and nothing is `null`. */
type Raw<Answer> =
  Answer extends ReadonlyMap<infer Key, infer Value>
    ? readonly (readonly [Key, Value])[]
    : Answer extends undefined
      ? null
      : Answer;

export type WorkerCalls = {
  readonly [Name in CallName]: (request: RequestOf<Name>, caller: Caller) => Promise<Raw<AnswerOf<Name>>>;
};

/** Limits the workers with one token at the same time. */
const maxWorkers = 1_000;
/** A worker that waits asks again after this time. */
const longestWaitMs = 20_000;

/** Performs the calls of workers: each for the runs that the worker executes, and no others. */
export function createWorkerCalls(ports: WorkerCallPorts): {
  readonly calls: WorkerCalls;
  /** The run whose files the worker may read and write under this lease. Throws `run_lost`. */
  readonly getWritten: (lease: { readonly runId: string; readonly token: number }, caller: Caller) => Promise<DagRun>;
} {
  const { runs, queue, workers, state, children, parsers, readStoredSecret, readProfileSecret, clock, createId } =
    ports;
  const access = createRunAccess({ runs, parser: parsers.forServer });
  const work = countWork(queue, createId());

  const findReadable = async (id: string, { workerId }: Caller): Promise<DagRun | undefined> => {
    const run = await runs.findById(id);
    return run !== undefined && (await access.mayRead(workerId, run)) ? run : undefined;
  };
  const assertReadable = async (id: string, caller: Caller): Promise<void> => {
    if ((await findReadable(id, caller)) === undefined) throw notYours();
  };
  const getHeld = async (
    lease: { readonly runId: string; readonly token: number },
    caller: Caller,
  ): Promise<DagRun> => {
    const run = await access.findHeld(caller.workerId, lease);
    if (run === undefined) throw runLost();
    return run;
  };
  const getWritten: typeof getHeld = async (lease, caller) => {
    const run = await access.findWritten(caller.workerId, lease);
    if (run === undefined) throw runLost();
    return run;
  };
  /** The run that the worker executes, whatever its token. */
  const getOwned = async (id: string | null, { workerId }: Caller): Promise<DagRun> => {
    const run = id === null ? undefined : await runs.findById(id);
    if (run?.ownerId !== workerId || !runStatus.isRunning(run.status)) throw notYours();
    return run;
  };
  const getChild = async (id: string, caller: Caller): Promise<DagRun> => {
    const run = await runs.findById(id);
    if (run === undefined) throw notYours();
    await getOwned(run.parentId, caller);
    return run;
  };
  const assertState = async (keyspace: Parameters<StateStore['get']>[0], { workerId }: Caller): Promise<void> => {
    if (!(await access.mayUseState(workerId, keyspace))) throw notYours();
  };
  const findDag = (name: string): Promise<RunSource> => {
    if (!isDagName(name)) throw pathRefused(name);
    return children.findDag(name, ports.dagsFolder);
  };
  const findSource = async (called: RequestOf<'startChild'>['dag'], run: DagRun): Promise<RunSource> => {
    if ('name' in called) return findDag(called.name);
    const { localDags } = await parseStored(parsers.forServer, run);
    const local = findLocalDag(localDags, called.local);
    if (local === undefined) throw notYours();
    return toLocalSource(local, run);
  };

  const listAlive = async (token: Caller['token']): Promise<string[]> =>
    (await workers.listAlive(remoteLeaseMs)).filter((id) => id.startsWith(remoteWorkerPrefix(token)));

  const performed: WorkerCalls = {
    hello: async ({ protocol, self, labels: configured }, { token }) => {
      if (protocol !== protocolVersion) throw versionDiffers(self.version);
      const labels = labelsOfToken(token, configured);
      if ((await listAlive(token)).length >= maxWorkers) throw tooManyWorkers(token.name);
      const workerId = `${remoteWorkerPrefix(token)}${createId().replaceAll('-', '').slice(0, 12)}`;
      await workers.beat({ ...self, id: workerId, labels });
      return {
        workerId,
        tokenName: token.name,
        labels: { ...labels },
        isShared: ports.isShared,
        files: ports.objects === undefined ? 'folder' : 'objects',
        folders: { logs: ports.logFolder, data: ports.dataFolder },
      };
    },
    beat: async (self, { workerId, token }) => {
      await workers.beat({ ...self, id: workerId, labels: token.labels });
      return null;
    },
    leave: async (_none, { workerId }) => {
      await workers.remove(workerId);
      return null;
    },
    listAlive: (_none, { token }) => listAlive(token),

    claim: async ({ from }, { workerId, token }) =>
      (await queue.claim({ owner: workerId, labels: token.labels, at: clock.now(), from })) ?? null,
    listClaims: async (_none, { workerId }) => [...(await queue.listClaims(workerId))],
    failClaim: ({ lease, retryAt }, { workerId }) => queue.fail({ ...lease, owner: workerId }, retryAt),
    awaitWork: ({ seen }, { signal }) => work.next(seen, signal),
    listStopRequested: async (_none, { workerId }) => [...(await runs.listStopRequested(workerId))],

    find: async ({ dagName, dagRunId }, { workerId }) => {
      const run = await runs.find(dagName, dagRunId);
      return run !== undefined && (await access.mayRead(workerId, run)) ? run : null;
    },
    findById: async ({ id }, caller) => (await findReadable(id, caller)) ?? null,
    listSteps: async ({ id, scope }, caller) => {
      await assertReadable(id, caller);
      return [...(await runs.listSteps(id, scope))];
    },
    listAllSteps: async ({ id }, caller) => {
      await assertReadable(id, caller);
      return [...(await runs.listAllSteps(id))];
    },
    readOutputs: async ({ id, scope }, caller) => {
      await assertReadable(id, caller);
      return [...(await runs.readOutputs(id, scope))];
    },
    readMemos: async ({ id, scope }, caller) => {
      await assertReadable(id, caller);
      return [...(await runs.readMemos(id, scope))];
    },
    listChildren: async ({ id, node }, caller) => {
      await assertReadable(id, caller);
      return [...(await runs.listChildren(id, node))];
    },
    commit: async ({ lease, event }, caller) => {
      const { workerId } = caller;
      const { runId, token } = lease;
      if (event.kind === 'steps_added') assertOwnLogs(await getHeld(lease, caller), event.steps);
      const owned = { ...event, lease: { ownerId: workerId, token } } as RunEvent;
      if ((await runs.commit(runId, owned, { audit: unaudited })) !== undefined) {
        if (event.kind === 'released' || event.kind === 'suspended') access.noteReturn(workerId, lease);
        return true;
      }
      return isStoredAlready(await runs.findById(runId), event, { workerId, token });
    },
    childEnded: async ({ id, step }, caller) => {
      await getOwned(id, caller);
      const started = await runs.listChildren(id, nodeKey(step));
      if (!started.every(({ status }) => runStatus.isTerminal(status))) return false;
      const event = { kind: 'child_ended', step, at: clock.now() } as const;
      return (await runs.commit(id, event, { audit: unaudited })) !== undefined;
    },

    findDag: async ({ name }, { workerId }) => {
      const { dag, fileName } = await findDag(name);
      if (!(await access.mayCall(workerId, dag.workspace))) throw dagInOtherWorkspace(name);
      return { dag, fileName };
    },
    startChild: async (request, caller) => {
      const { dagName, dagRunId: ofCaller } = request.caller;
      const run = await getOwned((await runs.find(dagName, ofCaller))?.id ?? null, caller);
      const root = run.rootId === null ? run : await runs.findById(run.rootId);
      const source = await findSource(request.dag, run);
      if (!mayCall([run, root ?? run], source.dag)) throw dagInOtherWorkspace(source.dag.name);
      if (run.depth >= maxRunDepth) throw notYours();
      const { workerSelector, queueName, node, attempt = 1, params, dagRunId } = request;
      if (request.isOwned) assertMayOwn(source, workerSelector, caller);
      const parent = { node: node ?? '', id: run.id, rootId: run.rootId ?? run.id, depth: run.depth + 1, attempt };
      return children.start(source, {
        params,
        dagRunId,
        triggerType: 'subdag',
        startedBy: { kind: 'run', name: run.dagName, id: run.dagRunId },
        inherited: { profile: run.profile, profileLayers: run.profileLayers },
        ...(queueName === undefined ? {} : { queueName }),
        ...(workerSelector === undefined ? {} : { workerSelector }),
        ...(node === undefined ? {} : { parent }),
        ...(request.isOwned ? { ownerId: caller.workerId } : {}),
      });
    },
    retryChild: async ({ id, isOwned }, caller) => {
      const child = await getChild(id, caller);
      if (isOwned && !matchesSelector(child.workerSelector, caller.token.labels)) throw notYours();
      await children.retry(child, isOwned ? caller.workerId : undefined);
      return null;
    },
    awaitRun: async ({ id, statuses }, caller) => {
      await assertReadable(id, caller);
      const over = AbortSignal.timeout(longestWaitMs);
      const reached = children.waitFor(
        id,
        (status) => statuses.includes(status),
        AbortSignal.any([over, caller.signal]),
      );
      return reached.catch((error: unknown) => {
        if (over.aborted || caller.signal.aborted) return null;
        throw error;
      });
    },
    stopRun: async ({ id }, caller) => {
      await getChild(id, caller);
      await children.stop(id);
      return null;
    },

    getState: async ({ keyspace, key }, caller) => {
      await assertState(keyspace, caller);
      return (await state.get(keyspace, key)) ?? null;
    },
    setState: async ({ lease, ...change }, caller) => {
      await assertState(change.keyspace, caller);
      await getHeld(lease, caller);
      return state.set({ ...change, by: { runId: lease.runId, fencingToken: lease.token } });
    },
    deleteState: async ({ lease, ...change }, caller) => {
      await assertState(change.keyspace, caller);
      await getHeld(lease, caller);
      return state.delete({ ...change, by: { runId: lease.runId, fencingToken: lease.token } });
    },
    listState: async ({ keyspace, ...options }, caller) => {
      await assertState(keyspace, caller);
      return [...(await state.list(keyspace, options))];
    },
    readStateValues: async ({ keyspace, keys }, caller) => {
      await assertState(keyspace, caller);
      return [...(await state.readValues(keyspace, keys))];
    },

    readStoredSecret: async ({ ref, workspace }, { workerId }) =>
      (await access.mayReadSecret(workerId, ref, workspace))
        ? readStoredSecret(ref, workspace)
        : { problem: 'no run of this worker names it' },
    readProfileSecret: async ({ profileId, key }, { workerId }) =>
      (await access.mayReadProfileSecret(workerId, profileId, key))
        ? readProfileSecret(profileId, key)
        : { problem: 'no run of this worker has it' },

    listFiles: async ({ lease, folder }, caller) => runFolders.list(await getWritten(lease, caller), folder),
    removeFile: async ({ lease, folder, path: file }, caller) => {
      await runFolders.remove({ run: await getWritten(lease, caller), folder, path: file });
      return null;
    },
    listObjects: async ({ lease, folder, key }, caller) => {
      const objects = objectsOf(await getWritten(lease, caller), folder, ports.objects);
      return [...(await objects.list(key))];
    },
    removeObjects: async ({ lease, folder, keys }, caller) => {
      await objectsOf(await getWritten(lease, caller), folder, ports.objects).remove(keys);
      return null;
    },
  };
  return { calls: performed, getWritten };
}

/** The logs of a step are read by their stored paths, so a worker names only files in the folder of its run. */
function assertOwnLogs({ logFile }: DagRun, steps: readonly DagRunStep[]): void {
  const folder = `${path.dirname(logFile)}${path.sep}`;
  for (const file of steps.flatMap(({ stdoutFile, stderrFile }) => [stdoutFile, stderrFile])) {
    if (file !== '' && !(file.startsWith(folder) && path.normalize(file) === file)) throw notYours();
  }
}

/** The engine lets a worker own a run that is for its labels, or for any worker. */
function assertMayOwn({ dag }: RunSource, selector: string | undefined, { token }: Caller): void {
  const isForAny = selector === undefined && (dag.workerSelector === undefined || dag.workerSelector === 'local');
  if (!isForAny && (selector === undefined || !matchesSelector(selector, token.labels))) throw notYours();
}

/** The answer to an earlier try may have been lost. */
function isStoredAlready(
  run: DagRun | undefined,
  event: RemoteEvent,
  { workerId, token }: { readonly workerId: string; readonly token: number },
): boolean {
  if (run?.fencingToken !== token) return false;
  if (event.kind === 'ended') return run.ownerId === workerId && run.status === event.status;
  return event.kind === 'suspended' && run.ownerId === null && runStatus.isWaiting(run.status);
}

/** Counts how often runs became claimable, so that no worker misses one between two calls. */
function countWork(queue: WorkerCallPorts['queue'], server: string) {
  let count = 0;
  const waiting = new Set<() => void>();
  queue.subscribe(() => {
    count += 1;
    for (const wake of waiting) wake();
  });
  const mark = (): string => `${server}.${count}`;
  return {
    next: async (seen: string, signal: AbortSignal): Promise<string> => {
      if (seen !== mark()) return mark();
      const unwatch = await queue.watch();
      try {
        await new Promise<void>((resolve) => {
          const over = AbortSignal.any([AbortSignal.timeout(longestWaitMs), signal]);
          const wake = (): void => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
          over.addEventListener('abort', wake, { once: true });
          if (seen !== mark() || over.aborted) wake();
        });
      } finally {
        await unwatch();
      }
      return mark();
    },
  };
}

function notYours(): AppError {
  return new AppError('forbidden', 'This is not for the runs of this worker.', { reason: 'not_of_this_worker' });
}

function runLost(): AppError {
  return new AppError('conflict', 'The run belongs to another worker now.', { reason: 'run_lost' });
}

function tooManyWorkers(name: string): AppError {
  const message = `There are ${maxWorkers} workers with the token ${name} already.`;
  return new AppError('conflict', message, { reason: 'too_many_workers' });
}

function pathRefused(name: string): AppError {
  const message = `A worker without a database calls DAGs by their names; ${JSON.stringify(name)} is a path.`;
  return new AppError('invalid_request', message, { reason: 'dag_path_refused' });
}

function versionDiffers(version: string): AppError {
  const message = `This server does not understand workers of version ${version}. Upgrade servers first, then workers.`;
  return new AppError('invalid_request', message, { reason: 'worker_version_differs' });
}
