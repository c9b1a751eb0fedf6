import type { Logger, Resource } from '@weir/service-kit';
import type { Timer } from '@weir/workflow-engine/model';
import { pause } from '../../adapters/pause';
import type { RunIndex } from './run-index';

export interface RunIndexerDependencies {
  readonly runIndex: Pick<RunIndex, 'catchUp'>;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** Indexes runs beside everything else, so that a search has little left to do. */
export interface RunIndexer extends Resource {
  start(): void;
}

const batch = 100;
const intervalMs = 5_000;
/** Between two batches of many, which bounds the load. */
const pauseMs = 100;

export function createRunIndexer({ runIndex, timer, logger }: RunIndexerDependencies): RunIndexer {
  const stopping = new AbortController();
  let rounds: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    for (let waitMs = intervalMs; ;) {
      await pause(timer, waitMs, stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        waitMs = (await runIndex.catchUp(batch)) < batch ? intervalMs : pauseMs;
      } catch (error) {
        logger.warn({ error }, 'runs could not be indexed');
        waitMs = intervalMs;
      }
    }
  };
  return {
    name: 'run indexer',
    start: () => {
      rounds = run();
    },
    stop: async () => {
      stopping.abort();
      await rounds;
    },
  };
}
