import { createChangeWatch } from '../../adapters/change-watch';
import { startInterval } from '../../adapters/start-interval';
import { type RunFiles, openRunFile } from '../../run-files';
import type { Principal } from '../../access/principal';
import type { RunAddresses } from '../runs';
import type { RunLogs } from '../logs/run-logs';
import type { CallOperation } from './operation-calls';
import type { Topic } from './topics';

export interface FeedSourceDependencies {
  readonly call: CallOperation;
  readonly addresses: Pick<RunAddresses, 'toRead'>;
  readonly logs: RunLogs;
  readonly runFiles: Pick<RunFiles, 'view'>;
  /** Calls the listener with the key of each run that this process has changed. */
  readonly onRunChange: (listener: (runId: string) => void) => () => void;
  /** Calls the listener when a person has paused, resumed or reordered a queue. */
  readonly onQueueChange: (listener: () => void) => () => void;
  /** Calls the listener when a DAG file or a suspension has changed. */
  readonly onDefinitionChange: (listener: () => void) => () => void;
  /** Calls the listener with the id of each session with the agent that this process changes. */
  readonly onSessionChange: (listener: (sessionId: string) => void) => () => void;
  /** Returns another value after each change of the database, or `undefined` where changes cannot be detected. */
  readonly readRevision: () => string | undefined;
}

export type FeedSource = ReturnType<typeof createFeedSource>;

const logWatchMs = 250;
const sharedReadMs = 1000;
// Some topics depend on the time, such as the next occurrence of a schedule.
const longestUnreadMs = 10_000;

/** Reads topics, and reports when they may have changed. */
export function createFeedSource(dependencies: FeedSourceDependencies) {
  const { call, addresses, logs, runFiles, readRevision } = dependencies;
  const { onRunChange, onQueueChange, onDefinitionChange, onSessionChange } = dependencies;

  const watchLog = ({ run, stepName }: Topic, principal: Principal, refresh: () => void): (() => void) => {
    if (run === undefined) return () => undefined;
    const streams = stepName === undefined ? [undefined] : (['stdout', 'stderr'] as const);
    let files: readonly string[] = [];
    const watch = createLogWatch(runFiles, async () => {
      // A step has no files before it has started.
      if (files.length === 0 || files.includes('')) {
        const found = await Promise.all(streams.map((stream) => logs.find(run, { stepName, stream }, principal)));
        files = found.map(({ source }) => source.file);
      }
      return files;
    });
    const look = (): void => {
      // Reading the topic reveals a deleted run.
      watch.hasChanged().then((hasChanged) => hasChanged && refresh(), refresh);
    };
    return startInterval(logWatchMs, look);
  };

  return {
    read: (topic: Topic, principal: Principal): Promise<unknown> => topic.read(call, principal),

    /** Calls `refresh` when the topic may have changed, until the returned function is called. */
    watch(topic: Topic, principal: Principal, refresh: () => void): () => void {
      const { changedBy, run, sessionId } = topic;
      const hasChanged = createChangeWatch({ readRevision, longestMs: longestUnreadMs, now: () => performance.now() });
      let runId: string | undefined;
      if (run !== undefined && run.dagRunId !== 'latest') {
        // Until the run is found, every change counts.
        void addresses.toRead(run, principal).then(
          ({ id }) => (runId = id),
          () => undefined,
        );
      }
      const stops = [
        changedBy === 'session'
          ? onSessionChange((changed) => changed === sessionId && refresh())
          : onRunChange((changed) => {
              if (runId === undefined || changed === runId) refresh();
            }),
        ...(changedBy === 'definitions' ? [onDefinitionChange(refresh)] : []),
        ...(changedBy === 'queues' ? [onQueueChange(refresh)] : []),
        ...(changedBy === 'log' ? [watchLog(topic, principal, refresh)] : []),
        // Other processes may have changed what the topic shows.
        startInterval(sharedReadMs, () => hasChanged() && refresh()),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Compares the sizes of log files. A missing file counts as empty. */
function createLogWatch(runFiles: Pick<RunFiles, 'view'>, findFiles: () => Promise<readonly string[]>) {
  let known: string | undefined;
  return {
    /** Returns whether a file has grown since the last call. */
    hasChanged: async (): Promise<boolean> => {
      const sizes = await Promise.all((await findFiles()).map((file) => readSize(runFiles, file)));
      const current = sizes.join();
      const hasChanged = known !== undefined && known !== current;
      known = current;
      return hasChanged;
    },
  };
}

async function readSize(runFiles: Pick<RunFiles, 'view'>, name: string): Promise<number> {
  try {
    const file = await openRunFile(runFiles, name);
    await file?.close();
    return file?.size ?? 0;
  } catch {
    // The file was not written yet, or was deleted with its run, which another event announces.
    return 0;
  }
}
