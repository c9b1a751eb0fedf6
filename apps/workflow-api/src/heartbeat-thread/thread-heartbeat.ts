import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { AppError } from '@weir/foundation';
import type { Logger, Secret } from '@weir/service-kit';
import { createFailureReport } from '../adapters/failure-report';
import type { Heartbeat } from '../features/worker';
import type { HeartbeatMessage, HeartbeatOptions } from './heartbeat-messages';

export interface ThreadHeartbeatOptions {
  /** File of the bundled worker. */
  readonly workerFile: string;
  /** The address of a PostgreSQL database. */
  readonly url: Secret;
  readonly worker: Omit<HeartbeatOptions['worker'], 'claims'>;
  readonly logger: Logger;
  /** Milliseconds. Default: 2,500. */
  readonly everyMs?: number;
  /** Milliseconds in which the first heartbeat must be stored. Default: 10,000. */
  readonly startMs?: number;
}

/** The id that Node reports for a thread that has ended. */
const endedThread = -1;
const graceMs = 5_000;

/** Sends heartbeats from a separate thread, so that work of the main thread cannot delay them. */
export function createThreadHeartbeat({
  workerFile,
  url,
  worker,
  logger,
  everyMs = 2_500,
  startMs = 10_000,
}: ThreadHeartbeatOptions): Heartbeat {
  const lastBeat = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const times = new BigInt64Array(lastBeat);
  const report = createFailureReport(logger, {
    failed: 'heartbeat was not stored',
    succeeded: 'heartbeats are stored again',
  });
  let thread: Worker | undefined;
  let isStopping = false;
  const startThread = (claims: boolean): Worker => {
    const workerData: HeartbeatOptions = { url: url.reveal(), worker: { ...worker, claims }, everyMs, lastBeat };
    const started = new Worker(workerFile, { name: 'heartbeat', env: {}, execArgv: [], workerData });
    started.on('message', (message: HeartbeatMessage) => {
      if (message.kind === 'stored') report.succeeded();
      else report.failed(new AppError('unavailable', `The database refused a heartbeat (${message.code}).`));
    });
    started.on('error', (error) => report.failed(error));
    started.on('exit', () => {
      // Without the thread the leases would expire. It is restarted at most at the rate of heartbeats.
      if (!isStopping) setTimeout(() => !isStopping && (thread = startThread(claims)), everyMs).unref();
    });
    return started;
  };
  return {
    start: async (claims) => {
      thread = startThread(claims);
      const end = AbortSignal.timeout(startMs);
      while (Atomics.load(times, 0) === 0n) {
        await once(thread, 'message', { signal: end }).catch((cause: unknown) => {
          throw new AppError('unavailable', 'The first heartbeat could not be stored.', { cause });
        });
      }
    },
    silentMs: () => Number((process.hrtime.bigint() - Atomics.load(times, 0)) / 1_000_000n),
    stop: async () => {
      isStopping = true;
      if (thread === undefined || thread.threadId === endedThread) return;
      const ended = once(thread, 'exit');
      thread.postMessage('stop');
      await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
      await thread.terminate();
    },
  };
}
