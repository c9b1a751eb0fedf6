import type { Timer } from '@weir/workflow-engine';
import type { Logger, Resource } from '@weir/service-kit';
import type { Dag } from '@weir/workflow-spec';
import { isSpecTooCostly, type DagParser } from '../../dag-parser';
import { parseStored, type DagRunRepository, type StartRun } from '../dag-runs';
import type { DagNamesAfter } from './dag-names';
import { pause } from '../scheduler/pause';
import { pruneDag, type PruneDependencies, type PruneRequest } from './prune-dag';
import { retentionRule, type RetentionRule } from './retention-rule';

export interface RetentionDependencies extends PruneDependencies {
  readonly runs: Pick<DagRunRepository, 'scan' | 'findLatest'>;
  readonly dagNamesAfter: DagNamesAfter;
  readonly parser: DagParser;
  /** Gives some of the space back that removed rows leave in the database. */
  readonly freeSpace: () => Promise<void>;
  readonly timer: Timer;
  readonly logger: Logger;
  /** From the first start to the look at all DAGs that were started by then. Default: a second. */
  readonly afterStartMs?: number;
  /** Pause between two rounds through all DAGs. Default: an hour. */
  readonly roundMs?: number;
  /** Pause between two DAGs of a round, so that it is slow work. Default: 50 ms. */
  readonly betweenDagsMs?: number;
}

export interface Retention extends Resource {
  /** A new run of the DAG was stored: what it does not keep any more is removed soon. */
  schedule(dag: Pick<Dag, 'name' | 'histRetentionDays' | 'histRetentionRuns'>): void;
  /** Begins the rounds for DAGs that do not run any more. */
  start(): void;
}

const namesAtOnce = 100;
/** Of one DAG at one time. */
const scannedAfterStart = 1_000;
const scannedInRound = 10_000;
/** How long what was noted may still take at the end. */
const drainMs = 3_000;

type Prune = (
  dagName: string,
  rule: RetentionRule,
  limits: Pick<PruneRequest, 'maxScanned' | 'signal'>,
) => Promise<void>;

/** Removes runs that are too old or too many: of a DAG after each start, and slowly of all of them. */
export function createRetention(dependencies: RetentionDependencies): Retention {
  const { timer, afterStartMs = 1_000 } = dependencies;
  const prune = createPrune(dependencies);
  const stopping = new AbortController();
  const abandon = new AbortController();
  const scheduled = new Map<string, RetentionRule>();
  let pruning: Promise<void> | undefined;
  let rounds: Promise<void> = Promise.resolve();

  const pruneNoted = async (): Promise<void> => {
    // The run that was started comes first, and one look is enough for many starts.
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
      pruning ??= pruneNoted();
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
      // Nobody waits for it, and the next start or round tries again.
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

/** Once through all DAGs that have runs. */
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

/** By the text of the newest run, which is there also when the file is not. Nothing when there is only that one. */
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

/** Tells the retention of each run that no step started. */
export function withRetention(startRun: StartRun, retention: Pick<Retention, 'schedule'>): StartRun {
  return async (source, options) => {
    const run = await startRun(source, options);
    if (run.depth === 0) retention.schedule(source.dag);
    return run;
  };
}
