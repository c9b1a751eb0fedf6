import { AppError } from '@weir/foundation';
import type { Clock } from '@weir/workflow-engine/model';
import { startInterval } from '../../adapters/start-interval';
import type { LogIndexes } from './reader';
import type { Principal } from '../../access/principal';
import type { RunAddress } from '../runs/read/run-addresses';
import { FollowedLog, type FollowedLogOptions } from './followed-log';
import type { RunLogs, SourceSelection } from './run-logs';

export interface LogFollowersDependencies {
  readonly logs: RunLogs;
  readonly indexes: LogIndexes;
  readonly runFiles: FollowedLogOptions['runFiles'];
  readonly clock: Clock;
  /**
   * Calls the listener with the key of each run that this process has changed. Returns the function that removes the
   * listener.
   */
  readonly onRunChange: (listener: (runId: string) => void) => () => void;
  /** Limits the followers of all logs at the same time. */
  readonly maxStreams: number;
}

/** The log in the view of one of its followers. */
export interface LogSubscription {
  readonly log: FollowedLog;
  /** Resolves once the log has another version than this, or the signal is aborted. */
  waitForChange(version: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

interface Entry {
  readonly log: FollowedLog;
  /** The functions that wake followers which wait for a change. */
  readonly waiting: Set<() => void>;
  readonly stop: () => void;
  followers: number;
}

export type LogFollowers = ReturnType<typeof createLogFollowers>;

const lookMs = 250;
const sharedReadMs = 1000;

/** Manages the followers of all logs on this server. */
export function createLogFollowers(dependencies: LogFollowersDependencies) {
  const { logs, indexes, runFiles, clock, onRunChange, maxStreams } = dependencies;
  const entries = new Map<string, Entry>();
  let count = 0;

  const createEntry = (runId: string, selection: SourceSelection): Entry => {
    const waiting = new Set<() => void>();
    const onChange = (): void => {
      for (const wake of waiting) wake();
    };
    const log = new FollowedLog({
      readState: () => logs.readState(runId, selection),
      indexes,
      runFiles,
      clock,
      onChange,
    });
    const stops = [
      // A log that cannot be read is checked again.
      startInterval(lookMs, () => void log.look().catch(() => undefined)),
      onRunChange((changed) => {
        if (changed === runId) log.expire();
      }),
      // Other processes may have changed the run.
      startInterval(sharedReadMs, () => log.expire()),
    ];
    const stop = (): void => {
      for (const end of stops) end();
    };
    return { log, waiting, stop, followers: 0 };
  };

  const join = (key: string, entry: Entry): LogSubscription => {
    entries.set(key, entry);
    entry.followers += 1;
    count += 1;
    return {
      log: entry.log,
      waitForChange: (version, signal) => waitForChange(entry, version, signal),
      close: () => {
        count -= 1;
        entry.followers -= 1;
        if (entry.followers > 0) return;
        entry.stop();
        entries.delete(key);
      },
    };
  };

  return {
    /** Opens a subscription, which must be closed once. Throws `too_many_streams`, `dag_run_not_found` or `step_not_found`. */
    async open(address: RunAddress, selection: SourceSelection, principal: Principal): Promise<LogSubscription> {
      if (count >= maxStreams) throw tooManyStreams();
      const runId = await logs.findRunId(address, principal);
      const key = JSON.stringify([runId, selection.stepName, selection.stream]);
      const subscription = join(key, entries.get(key) ?? createEntry(runId, selection));
      try {
        await subscription.log.look();
        return subscription;
      } catch (error) {
        subscription.close();
        throw error;
      }
    },
  };
}

function waitForChange({ log, waiting }: Entry, version: number, signal: AbortSignal): Promise<void> {
  if (log.version !== version || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    waiting.add(wake);
    signal.addEventListener('abort', wake);
  });
}

function tooManyStreams(): AppError {
  return new AppError('unavailable', 'There are too many streams.', { reason: 'too_many_streams' });
}
