import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@weir/service-kit';
import { createFailureReport } from '../../adapters/failure-report';
import type { WorkerIdentity, WorkerRepository } from './worker-repository';

/** Reports at an interval that a worker is alive. */
export interface Heartbeat {
  /** Resolves once the first beat is stored, which also stores whether the worker claims queued runs. */
  start(claims: boolean): Promise<void>;
  /** Returns the time since the last stored beat was sent; always 0 where no lease depends on it. */
  silentMs(): number;
  stop(): Promise<void>;
}

/** A worker without heartbeats releases its runs, and claims no others, this long before others may claim them. */
const fenceMarginMs = 2_000;

/** Whether the worker keeps what it claims. */
export function hasLiveLease(heartbeat: Pick<Heartbeat, 'silentMs'>, leaseMs: number): boolean {
  return heartbeat.silentMs() <= leaseMs - fenceMarginMs;
}

export interface LoopHeartbeatOptions {
  readonly workers: Pick<WorkerRepository, 'beat'>;
  readonly identity: WorkerIdentity;
  readonly logger: Logger;
  /** Milliseconds. Default: 10,000. */
  readonly everyMs?: number;
}

/**
 * Beats from the main thread, for display. Where leases depend on something else, a beat does not prove that the
 * worker is alive.
 */
export function createLoopHeartbeat({ workers, identity, logger, everyMs = 10_000 }: LoopHeartbeatOptions): Heartbeat {
  const stopping = new AbortController();
  const { signal } = stopping;
  const report = createFailureReport(logger, {
    failed: 'heartbeat was not stored',
    succeeded: 'heartbeats are stored again',
  });
  let beating: Promise<void> | undefined;
  const keepBeating = async (claims: boolean): Promise<void> => {
    for (;;) {
      // Only stopping the heartbeat ends the delay early, by an abort.
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await workers.beat({ ...identity, claims }).then(
        () => report.succeeded(),
        (error: unknown) => report.failed(error),
      );
    }
  };
  return {
    start: async (claims) => {
      await workers.beat({ ...identity, claims });
      beating = keepBeating(claims);
    },
    silentMs: () => 0,
    stop: async () => {
      stopping.abort();
      await beating;
    },
  };
}
