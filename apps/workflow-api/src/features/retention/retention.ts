import type { Timer } from '@weir/workflow-engine/model';
import type { Logger, Resource } from '@weir/service-kit';
import type { Dag } from '@weir/workflow-spec';
import { isSpecTooCostly, type DagParser } from '../../dag-parser';
import { parseStored, type DagRunRepository } from '../runs';
import type { DagNamesAfter } from './dag-names';
import { pause } from '../../adapters/pause';
import { pruneDag, type PruneDependencies, type PruneRequest } from './prune-dag';
import { retentionRule, type RetentionRule } from './retention-rule';

export interface RetentionDependencies extends PruneDependencies {
  readonly runs: Pick<DagRunRepository, 'scan' | 'findLatest'>;
  readonly dagNamesAfter: DagNamesAfter;
  readonly parser: DagParser;
  /** Returns some of the space of deleted rows to the disk. */
  readonly freeSpace: () => Promise<void>;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Starts of DAGs are collected for this time before their old runs are removed. Default: 1 s. */
  readonly afterStartMs?: number;
  /** Interval between two rounds over all DAGs. Default: one hour. */
  readonly roundMs?: number;
  /** Pause between two DAGs of a round, which bounds the load. Default: 50 ms. */
  readonly betweenDagsMs?: number;
}

export interface Retention extends Resource {
  /** Must be called after a start of the DAG: the runs that are no longer retained are removed soon. */
  schedule(dag: Pick<Dag, 'name' | 'histRetentionDays' | 'histRetentionRuns'>): void;
  /** Starts the rounds, which also reach DAGs that are no longer started. */
  start(): void;
}

const namesAtOnce = 100;
const scannedAfterStart = 1_000;
const scannedInRound = 10_000;
/** Limits the time of scheduled removals when the server stops. */
const drainMs = 3_000;

type Prune = (
  dagName: string,
  rule: RetentionRule,
  limits: Pick<PruneRequest, 'maxScanned' | 'signal'>,
) => Promise<void>;

/** Removes runs that are too old or too many: those of a DAG after each start, and those of all DAGs in slow rounds. */
export function createRetention(dependencies: RetentionDependencies): Retention {
  const { timer, afterStartMs = 1_000 } = dependencies;
  const prune = createPrune(dependencies);
  const stopping = new AbortController();
  const abandon = new AbortController();
  const scheduled = new Map<string, RetentionRule>();
  let pruning: Promise<void> | undefined;
  let rounds: Promise<void> = Promise.resolve();

  const pruneScheduled = async (): Promise<void> => {
    // The started run has priority, and one pass serves many starts.
    await pause(timer, afterStartMs, stopping.signal);
    for (let [next] = scheduled; next !== undefined && !abandon.signal.aborted; [next] = scheduled) {
      const [dagName, rule] = next;
      scheduled.delete(dagName);
      await prune(dagName, rule, { maxScanned: scannedAfterStart, signal: abandon.signal });
    }
    pruning = undefined;
  };

  return {
    name: 'retention',
    schedule: (dag) => {
      if (stopping.signal.aborted) return;
      scheduled.set(dag.name, retentionRule(dag));
      pruning ??= pruneScheduled();
    },
    start: () => {
      rounds = repeatRounds(dependencies, prune, stopping.signal);
    },
    stop: async () => {
      stopping.abort();
      const cancel = timer.start(drainMs, () => abandon.abort());
      await Promise.all([pruning, rounds]);
      cancel();
    },
  };
}

function createPrune(dependencies: RetentionDependencies): Prune {
  const { logger } = dependencies;
  return async (dagName, rule, limits) => {
    try {
      const removed = await pruneDag(dependencies, { dagName, rule, ...limits });
      if (removed > 0) logger.info({ dagName, removed }, 'old runs removed');
    } catch (error) {
      // No caller waits for the removal, and the next start or round repeats it.
      logger.warn({ dagName, error }, 'old runs could not be removed');
    }
  };
}

async function repeatRounds(dependencies: RetentionDependencies, prune: Prune, signal: AbortSignal): Promise<void> {
  const { timer, logger, roundMs = 3_600_000 } = dependencies;
  for (;;) {
    await pause(timer, roundMs, signal);
    if (signal.aborted) return;
    try {
      await runRound(dependencies, prune, signal);
    } catch (error) {
      logger.warn({ error }, 'a round of retention was not finished');
    }
  }
}

async function runRound(dependencies: RetentionDependencies, prune: Prune, signal: AbortSignal): Promise<void> {
  const { timer, dagNamesAfter, freeSpace, betweenDagsMs = 50 } = dependencies;
  let names = await dagNamesAfter(undefined, namesAtOnce);
  while (names.length > 0) {
    for (const name of names) {
      if (signal.aborted) return;
      const rule = await findRule(dependencies, name);
      if (rule !== undefined) await prune(name, rule, { maxScanned: scannedInRound, signal });
      await pause(timer, betweenDagsMs, signal);
    }
    names = await dagNamesAfter(names.at(-1), namesAtOnce);
  }
  await freeSpace();
}

/**
 * Reads the rule from the spec of the newest run, which exists even when the file does not. Returns `undefined` when
 * that run is the only one.
 */
async function findRule({ runs, parser }: RetentionDependencies, dagName: string): Promise<RetentionRule | undefined> {
  const everywhere = { unassigned: true, named: 'all' } as const;
  const newest = await runs.scan({ dagName, limit: 2, workspaces: everywhere });
  const latest = newest.length < 2 ? undefined : await runs.findLatest(dagName);
  if (latest === undefined) return undefined;
  try {
    return retentionRule((await parseStored(parser, latest)).dag);
  } catch (error) {
    if (!isSpecTooCostly(error)) throw error;
    return retentionRule({});
  }
}
