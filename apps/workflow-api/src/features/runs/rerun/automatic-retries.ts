import { isAppError } from '@weir/foundation';
import type { Timer, DagRunSummary, Clock } from '@weir/workflow-engine/model';
import type { Logger, Resource } from '@weir/service-kit';
import { unaudited } from '../../../access/audited-operation';
import type { DagRunRepository } from '../store/dag-run-repository';
import type { RunRetrier } from './run-retrier';
import { createFailureReport } from '../../../adapters/failure-report';
import { pause } from '../../../adapters/pause';

export interface AutomaticRetriesDependencies {
  readonly runs: Pick<DagRunRepository, 'listRetryDue' | 'findById'>;
  readonly retrier: Pick<RunRetrier, 'retry'>;
  /** Lists the file names of the suspended DAGs, whose runs are not retried. */
  readonly listSuspended: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Whether `wake` is called when runs end, so that they need not be polled every second. */
  readonly isShared: boolean;
}

export interface AutomaticRetries extends Resource {
  start(): void;
  /** Reports that a run may have failed. */
  wake(): void;
  /** Retries every failed run whose retry is due. Returns the milliseconds until the next tick, unless it is woken. */
  tick(): Promise<number>;
}

const runsAtOnce = 100;
/** The minimum pause between two ticks, for any number of ended runs. */
const pauseMs = 1_000;
/** The interval when nothing is due, and ended runs are announced. */
const idleMs = 10_000;

/**
 * Retries failed runs by the retry policies of their DAGs. Any number of processes may do so: only one of them queues a
 * run.
 */
export function createAutomaticRetries(dependencies: AutomaticRetriesDependencies): AutomaticRetries {
  const { timer, logger } = dependencies;
  const stopping = new AbortController();
  const report = createFailureReport(logger, {
    failed: 'failed runs could not be retried',
    succeeded: 'failed runs can be retried again',
  });
  let woken = new AbortController();
  let loop: Promise<void> | undefined;
  const tick = () => retryAll(dependencies, stopping.signal);
  const keepTicking = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = new AbortController();
      let waitMs = pauseMs;
      try {
        waitMs = await tick();
        report.succeeded();
      } catch (error) {
        report.failed(error);
      }
      await pause(timer, pauseMs, stopping.signal);
      await pause(timer, waitMs - pauseMs, AbortSignal.any([stopping.signal, woken.signal]));
    }
  };
  return {
    name: 'automatic retries',
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

async function retryAll(dependencies: AutomaticRetriesDependencies, signal: AbortSignal): Promise<number> {
  const { runs, listSuspended, clock, isShared } = dependencies;
  const longestMs = isShared ? idleMs : pauseMs;
  const now = clock.now();
  const until = new Date(now.getTime() + longestMs);
  const [next] = await runs.listRetryDue({ at: until, exceptFiles: [], limit: 1 });
  if (next?.retryAt == null) return longestMs;
  if (next.retryAt > now) return next.retryAt.getTime() - now.getTime();
  const due = await runs.listRetryDue({ at: now, exceptFiles: await listSuspended(), limit: runsAtOnce });
  let failure: { readonly error: unknown } | undefined;
  for (const summary of due) {
    if (signal.aborted) break;
    // A run that cannot be retried must not prevent the others.
    await retryOne(dependencies, summary).catch((error: unknown) => {
      failure ??= { error };
    });
  }
  if (failure !== undefined) throw failure.error;
  return due.length === 0 ? longestMs : pauseMs;
}

async function retryOne(
  { runs, retrier, logger }: AutomaticRetriesDependencies,
  summary: DagRunSummary,
): Promise<void> {
  const run = await runs.findById(summary.id);
  if (run === undefined) return;
  try {
    await retrier.retry(run, unaudited, { isAutomatic: true });
  } catch (error) {
    // Another process or a person retried it first.
    if (isAppError(error) && error.reason === 'dag_run_active') return;
    throw error;
  }
  const { dagName, dagRunId, autoRetryCount, autoRetryLimit } = run;
  logger.info({ dagName, dagRunId, retry: autoRetryCount + 1, of: autoRetryLimit }, 'failed run is retried');
}
