import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@weir/service-kit';
import { createFailureReport } from '../../adapters/failure-report';
import type { WorkerIdentity, WorkerRepository } from './worker-repository';

/** Says again and again that a worker is alive. */
export interface Heartbeat {
  /** Resolves once the first beat is stored, with whether the worker claims queued runs. */
  start(claims: boolean): Promise<void>;
  /** How long ago the last beat was sent that is stored; for ever 0 where nothing depends on it. */
  silentMs(): number;
  stop(): Promise<void>;
}

/** How much earlier than others may claim its runs a worker without heartbeats releases them, and claims no others. */
const fenceMarginMs = 2_000;

/** Whether what the worker claims stays its own. */
export function hasLiveLease(heartbeat: Pick<Heartbeat, 'silentMs'>, leaseMs: number): boolean {
  return heartbeat.silentMs() <= leaseMs - fenceMarginMs;
}

export interface LoopHeartbeatOptions {
  readonly workers: Pick<WorkerRepository, 'beat'>;
  readonly identity: WorkerIdentity;
  readonly logger: Logger;
  /** Default 10 s. */
  readonly everyMs?: number;
}

/**
 * Beats from the main thread, for people to see. Where leases depend on something else, this does not say that the
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
      // Ends early, by an abort, only when it stops.
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
