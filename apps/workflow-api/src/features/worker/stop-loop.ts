import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@weir/service-kit';
import type { DagRunRepository } from '../runs';
import type { ActiveRuns } from './active-runs';
import { createFailureReport, reportFailure } from '../../adapters/failure-report';
import { hasLiveLease, type Heartbeat } from './heartbeat';

export interface StopLoopOptions {
  readonly workerId: string;
  readonly runs: Pick<DagRunRepository, 'listStopRequested'>;
  readonly heartbeat: Heartbeat;
  /** A worker without heartbeats keeps its claims for this time. */
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly stopping: AbortSignal;
  readonly logger: Logger;
}

/**
 * Polls for requests to stop runs of this worker, which any process may have stored, and releases its runs before their
 * leases expire. Resolves when the worker stops.
 */
export async function runStopLoop(options: StopLoopOptions, active: ActiveRuns): Promise<void> {
  const { workerId, runs, heartbeat, leaseMs, pollMs, stopping, logger } = options;
  const report = createFailureReport(logger, {
    failed: 'stop requests cannot be read',
    succeeded: 'stop requests are read again',
  });
  const stopRequested = async (): Promise<void> => {
    for (const id of await runs.listStopRequested(workerId)) active.stop(id);
  };
  while (await pause(pollMs, stopping)) {
    if (active.size === 0) continue;
    if (!hasLiveLease(heartbeat, leaseMs)) {
      // Other workers may already execute them.
      logger.error({ runs: active.size }, 'heartbeats cannot be stored: the runs of this worker are released');
      active.releaseAll();
    }
    await reportFailure(stopRequested(), report);
  }
}

/** Returns whether to continue afterwards. */
async function pause(forMs: number, stopping: AbortSignal): Promise<boolean> {
  // Only stopping the worker ends the delay early, by an abort.
  await delay(forMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  return !stopping.aborted;
}
