import { isAppError } from '@weir/foundation';
import type { Logger, Resource } from '@weir/service-kit';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import { pause } from '../../adapters/pause';
import { createFailureReport } from '../../adapters/failure-report';
import type { Backfill } from './backfill';
import { advanceBackfill, type AdvanceDependencies } from './advance-backfill';

export interface BackfillRunnerDependencies extends AdvanceDependencies {
  /** Whether the runner polls rarely while no backfill is active. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

export interface BackfillRunner extends Resource {
  start(): void;
  /** Checks all active backfills now. */
  wake(): void;
  /** Starts the runs of every active backfill that may be started now. */
  tick(): Promise<void>;
}

const pauseMs = 1_000;
/** The interval without active backfills, on a shared database; backfills of this process wake the runner. */
const idleMs = 30_000;

/** Starts the runs of backfills. Any number of processes may do so: an occurrence identifies its run. */
export function createBackfillRunner(dependencies: BackfillRunnerDependencies): BackfillRunner {
  const { backfills, clock, timer, logger, isShared } = dependencies;
  const stopping = new AbortController();
  const report = createFailureReport(logger, {
    failed: 'backfills could not be continued',
    succeeded: 'backfills can be continued again',
  });
  let woken = new AbortController();
  let loop: Promise<void> | undefined;
  let isIdle = false;

  const advance = async (backfill: Backfill): Promise<void> => {
    try {
      await advanceBackfill(dependencies, backfill, stopping.signal);
    } catch (error) {
      if (!isAppError(error) || error.code === 'unavailable' || error.code === 'internal') throw error;
      logger.warn({ dagName: backfill.dagName, backfill: backfill.id, error }, 'backfill failed');
      const current = await backfills.find(backfill.id);
      const end = { status: 'failed', error: error.message, endedAt: clock.now() } as const;
      if (current !== undefined) await backfills.advance(current, end);
    }
  };
  const tick = async (): Promise<void> => {
    const active = await backfills.listActive();
    isIdle = active.length === 0;
    for (const backfill of active) {
      if (stopping.signal.aborted) return;
      await advance(backfill);
    }
  };
  const keepTicking = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = new AbortController();
      await tick().then(
        () => report.succeeded(),
        (error: unknown) => report.failed(error),
      );
      await pause(timer, isIdle && isShared ? idleMs : pauseMs, AbortSignal.any([stopping.signal, woken.signal]));
    }
  };
  return {
    name: 'backfills',
    tick,
    wake: () => woken.abort(),
    start: () => {
      loop ??= keepTicking();
    },
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}
