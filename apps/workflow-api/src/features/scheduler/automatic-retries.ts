import { isAppError } from '@weir/errors';
import type { Timer, DagRunSummary, Clock } from '@weir/workflow-engine';
import type { Logger, Resource } from '@weir/service-kit';
import type { DagRunRepository, RunRetrier } from '../dag-runs';
import { createFailureReport } from '../worker';
import { pause } from '../../adapters/pause';

export interface AutomaticRetriesDependencies {
  readonly runs: Pick<DagRunRepository, 'listRetryDue' | 'findById'>;
  readonly retrier: Pick<RunRetrier, 'retry'>;
  /** File names of the suspended DAGs, whose runs are not retried. */
  readonly listSuspended: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Interval between two ticks. Default: 1 s. */
  readonly pauseMs?: number;
}

export interface AutomaticRetries extends Resource {
  start(): void;
  /** Retries every failed run whose retry is due. */
  tick(): Promise<void>;
}

const runsAtOnce = 100;

/**
 * Retries failed runs by the retry policies of their DAGs. Any number of processes may do so: only one of them queues a
 * run.
 */
export function createAutomaticRetries(dependencies: AutomaticRetriesDependencies): AutomaticRetries {
  const { timer, logger, pauseMs = 1_000 } = dependencies;
  const stopping = new AbortController();
  const report = createFailureReport(logger, {
    failed: 'failed runs could not be retried',
    succeeded: 'failed runs can be retried again',
  });
  let loop: Promise<void> | undefined;
  const tick = () => retryAll(dependencies, stopping.signal);
  const keepTicking = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await tick().then(
        () => report.succeeded(),
        (error: unknown) => report.failed(error),
      );
      await pause(timer, pauseMs, stopping.signal);
    }
  };
  return {
    name: 'automatic retries',
    tick,
    start: () => {
      loop ??= keepTicking();
    },
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}

async function retryAll(dependencies: AutomaticRetriesDependencies, signal: AbortSignal): Promise<void> {
  const { runs, listSuspended, clock } = dependencies;
  const due = await runs.listRetryDue({ at: clock.now(), exceptFiles: await listSuspended(), limit: runsAtOnce });
  let failure: { readonly error: unknown } | undefined;
  for (const summary of due) {
    if (signal.aborted) return;
    // One run that cannot be retried must not prevent the others.
    await retryOne(dependencies, summary).catch((error: unknown) => {
      failure ??= { error };
    });
  }
  if (failure !== undefined) throw failure.error;
}

async function retryOne(
  { runs, retrier, logger }: AutomaticRetriesDependencies,
  summary: DagRunSummary,
): Promise<void> {
  const run = await runs.findById(summary.id);
  if (run === undefined) return;
  try {
    await retrier.retry(run, { isAutomatic: true });
  } catch (error) {
    // Another process or a person retried it first.
    if (isAppError(error) && error.reason === 'dag_run_active') return;
    throw error;
  }
  const { dagName, dagRunId, autoRetryCount, autoRetryLimit } = run;
  logger.info({ dagName, dagRunId, retry: autoRetryCount + 1, of: autoRetryLimit }, 'failed run is retried');
}
