import type { StateStore } from '@weir/workflow-engine';
import { runStatus, type RunSource } from '@weir/workflow-engine/model';
import { AppError } from '@weir/foundation';
import { createListeners } from '../adapters/listeners';
import { endsWork } from '../features/runs/store/commit-run';
import type { WorkerOptions, StoredChildRuns } from '../features/worker';
import { placeRun, placeStep, toServerStep, type FolderPair } from './remote-folders';
import type { ServerConnection } from './server-connection';

type Call = Pick<ServerConnection, 'call'>;

/** The runs of the server, as far as this worker may read and change them. */
export function createRemoteRuns({ call }: Call, folders: FolderPair): WorkerOptions['runs'] {
  const place = <Run extends Parameters<typeof placeRun>[0]>(run: Run): Run => placeRun(run, folders);
  return {
    find: async (dagName, dagRunId) => {
      const run = await call('find', { dagName, dagRunId });
      return run && place(run);
    },
    findById: async (id) => {
      const run = await call('findById', { id });
      return run && place(run);
    },
    listSteps: async (id, scope = '') =>
      (await call('listSteps', { id, scope })).map((step) => placeStep(step, folders)),
    listAllSteps: async (id) => (await call('listAllSteps', { id })).map((step) => placeStep(step, folders)),
    readOutputs: (id, scope = '') => call('readOutputs', { id, scope }),
    readMemos: (id, scope = '') => call('readMemos', { id, scope }),
    listChildren: async (id, node) => (await call('listChildren', { id, node })).map(place),
    listStopRequested: () => call('listStopRequested', null),
    commit: async (id, event, { worker }) => {
      switch (event.kind) {
        case 'child_ended': {
          const { scope, position } = event.step;
          return (await call('childEnded', { id, step: { scope, position } })) ? event : undefined;
        }
        case 'released':
        case 'steps_changed':
        case 'steps_added':
        case 'params_resolved':
        case 'ended':
        case 'suspended': {
          if (worker !== undefined && endsWork(event)) await worker.flushFiles();
          const { lease, ...own } = event;
          const placed =
            own.kind === 'steps_added' ? { ...own, steps: own.steps.map((step) => toServerStep(step, folders)) } : own;
          const isStored = await call('commit', { lease: { runId: id, token: lease.token }, event: placed as never });
          return isStored ? event : undefined;
        }
        default:
          throw new AppError('internal', `A worker does not store ${event.kind}.`);
      }
    },
  };
}

/** The queue of the server, which announces queued runs while somebody watches. */
export function createRemoteQueue(
  { call }: Call,
  timer: { pause: (signal: AbortSignal) => Promise<void> },
): WorkerOptions['queue'] {
  const { subscribe, announce } = createListeners();
  return {
    claim: ({ from }) => call('claim', { from }),
    listClaims: () => call('listClaims', null),
    fail: ({ runId, token }, retryAt) => call('failClaim', { lease: { runId, token }, retryAt }),
    subscribe,
    watch: () => {
      const over = new AbortController();
      const watching = (async () => {
        let seen = '';
        while (!over.signal.aborted) {
          try {
            const mark = await call('awaitWork', { seen }, over.signal);
            if (mark !== seen && seen !== '') announce();
            seen = mark;
          } catch {
            // The poll of the queue reports it.
            await timer.pause(over.signal);
          }
        }
      })();
      return Promise.resolve(async () => {
        over.abort();
        await watching;
      });
    },
  };
}

/** The child runs of this worker's runs, which the server stores. */
export function createRemoteChildren({ call }: Call, folders: FolderPair): StoredChildRuns {
  /** The names by which DAGs of the folder of the server were found; all others are of the text of the calling run. */
  const names = new WeakMap<RunSource, string>();
  return {
    findDag: async (name) => {
      // The server reads the text itself when the run is started.
      const source = { ...(await call('findDag', { name })), specText: '', baseTexts: [] };
      names.set(source, name);
      return source;
    },
    readPackage: ({ manifest }) =>
      Promise.reject(
        new AppError(
          'invalid_request',
          `The packaged action "${manifest.name}" cannot be run by a worker without a database, because its server would have to trust the files of the worker.`,
          { reason: 'packaged_action_refused' },
        ),
      ),
    start: async (source, { startedBy, parent, params, dagRunId, queueName, workerSelector, ownerId }) => {
      const name = names.get(source);
      const { name: dagName = '', id: callerRunId = '' } = startedBy;
      const started = await call('startChild', {
        dag: name === undefined ? { local: source.dag.name } : { name },
        caller: { dagName, dagRunId: callerRunId },
        node: parent?.node,
        attempt: parent?.attempt,
        params,
        dagRunId,
        queueName,
        workerSelector,
        isOwned: ownerId !== undefined,
      });
      return placeRun(started, folders);
    },
    retry: async ({ id }, ownerId) => {
      await call('retryChild', { id, isOwned: ownerId !== undefined });
    },
    waitFor: async (id, isReached, signal) => {
      const statuses = runStatus.all.filter(isReached);
      for (;;) {
        signal.throwIfAborted();
        const run = await call('awaitRun', { id, statuses }, signal);
        if (run !== undefined) return placeRun(run, folders);
      }
    },
    stop: async (id) => {
      await call('stopRun', { id });
    },
  };
}

/** The state of runs that the server stores. */
export function createRemoteState({ call }: Call): StateStore {
  const toChange = ({ keyspace, key, expectedVersion, by }: Parameters<StateStore['delete']>[0]) => ({
    lease: { runId: by.runId, token: by.fencingToken },
    keyspace,
    key,
    expectedVersion,
  });
  return {
    get: (keyspace, key) => call('getState', { keyspace, key }),
    set: (change) => call('setState', { ...toChange(change), value: change.value }),
    delete: (change) => call('deleteState', toChange(change)),
    list: (keyspace, options) => call('listState', { keyspace, ...options }),
    readValues: (keyspace, keys) => call('readStateValues', { keyspace, keys: [...keys] }),
  };
}
