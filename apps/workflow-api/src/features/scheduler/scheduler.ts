import type { Timer, Clock } from '@weir/workflow-engine/model';
import type { Logger, Resource } from '@weir/service-kit';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { DagRunRepository, RunStopper, StartRun } from '../runs';
import type { DagCatalog, DagEntry, DagFlagRepository, Suspensions } from '../dags';
import type { DagSourceDependencies } from './dag-source';
import { before, later, startOfMinute, untilNextMinuteMs } from './due-actions';
import { pause } from '../../adapters/pause';
import { restartForOccurrence } from './restart-occurrence';
import { toScheduledDag, type ScheduledDag } from './scheduled-dag';
import { schedulerKey, type SchedulerStateRepository } from './scheduler-state-repository';
import { createDueIndex, type DueDag, type DueIndex } from './due-index';
import { createOccurrenceCounts, type OccurrenceCounts, type OccurrencesSkipped } from './occurrence-counts';
import type { Listeners } from '../../adapters/listeners';
import { dequeueScheduled } from './start-occurrence';
import { readStartingPoint, type StartingPoint } from './starting-point';
import { settleOccurrences } from './settle-occurrences';

export interface SchedulerOptions extends DagSourceDependencies {
  readonly catalog: Pick<DagCatalog, 'follow' | 'ready' | 'suspensionChanged'>;
  readonly suspensions: Pick<Suspensions, 'refresh'>;
  readonly flags: DagFlagRepository;
  readonly state: SchedulerStateRepository;
  readonly runs: DagRunRepository;
  readonly startRun: StartRun;
  readonly stopper: RunStopper;
  /** Stores the alerts of occurrences without a run, before they count as settled. */
  readonly tellSkipped: (skipped: OccurrencesSkipped, occurrences: readonly Date[]) => Promise<void>;
  readonly occurrencesSkipped: Pick<Listeners<OccurrencesSkipped>, 'announce'>;
  /** Read again at each tick, because other servers change them too. */
  readonly calendars: { refresh(): Promise<void> };
  readonly times: ScheduleTimes;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

interface SkippedDates {
  readonly skipped: OccurrencesSkipped;
  readonly occurrences: readonly Date[];
}

/**
 * An occurrence that is at most this late counts as current: a restart of the server around a full minute loses
 * nothing.
 */
const lateMs = 2 * 60_000;
const dagsAtOnce = 8;
const retryReadyMs = 1000;

/**
 * Starts, stops and restarts DAGs by their schedules. The id of a run is derived from its occurrence, so any number of
 * schedulers may work on one database without a leader.
 */
export class Scheduler implements Resource {
  readonly name = 'scheduler';
  readonly counts: OccurrenceCounts;
  readonly #options: SchedulerOptions;
  readonly #due: DueIndex;
  readonly #suspended = new Set<string>();
  /** Names of DAGs with a catch-up window that have no stored watermark yet. */
  readonly #newlyKnown = new Set<string>();
  /** The skipped occurrences that are not stored yet, by DAG. */
  readonly #untold = new Map<string, readonly SkippedDates[]>();
  readonly #stopping = new AbortController();
  readonly #background = new Map<string, Promise<void>>();
  #startingPoint: StartingPoint | undefined;
  #lastTick: Date | undefined;
  #tickMs = 0;
  #unfollow: (() => void) | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#due = createDueIndex(options.times);
    this.counts = createOccurrenceCounts(options.logger, (skipped, occurrences) => {
      options.occurrencesSkipped.announce(skipped);
      this.#untold.set(skipped.dagName, [...(this.#untold.get(skipped.dagName) ?? []), { skipped, occurrences }]);
    });
  }

  /**
   * Reads the watermarks of the previous scheduler and follows the catalog. Must be called before the catalog reads
   * its folder.
   */
  async prepare(): Promise<void> {
    const { catalog, clock } = this.#options;
    this.#startingPoint = await readStartingPoint(this.#options, startOfMinute(clock.now()));
    this.#unfollow = catalog.follow((fileName, entry, isSuspended) => this.#update(fileName, entry, isSuspended));
  }

  /** Starts to tick as soon as the catalog is ready. */
  start(): void {
    this.#loop = this.#keepTicking();
  }

  /** Waits for the work in progress. The next scheduler settles the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unfollow?.();
    await this.#loop;
    await Promise.all(this.#background.values());
  }

  /** Settles everything that is due. DAGs without due occurrences cost nothing. */
  async tick(): Promise<void> {
    const { catalog, suspensions, calendars, clock } = this.#options;
    await calendars.refresh();
    catalog.suspensionChanged(await suspensions.refresh());
    const startedAt = clock.now();
    const to = startOfMinute(startedAt);
    // The clock was set back, and this minute has already been settled.
    if (this.#lastTick !== undefined && to < this.#lastTick) return;
    // An occurrence that is late because of a long last tick is not missed.
    const span = { to, lateMs: lateMs + this.#tickMs };
    const queue = this.#due.due(to)[Symbol.iterator]();
    const settled: Date[] = [to];
    await Promise.all(Array.from({ length: dagsAtOnce }, () => this.#settleAll(queue, span, settled)));
    this.#lastTick = to;
    this.#tickMs = clock.now().getTime() - startedAt.getTime();
    await this.#storeWatermarks(to, settled);
    this.#options.logger.debug({ due: settled.length - 1, of: this.#due.size, durationMs: this.#tickMs }, 'tick');
  }

  async #settleAll(
    queue: Iterator<DueDag> & Iterable<DueDag>,
    span: { readonly to: Date; readonly lateMs: number },
    settled: Date[],
  ): Promise<void> {
    for (const planned of queue) {
      const until = await this.#settleDag(planned, span);
      settled.push(until);
      this.#due.settle(planned.dag.fileName, until);
    }
  }

  async #settleDag(planned: DueDag, span: { readonly to: Date; readonly lateMs: number }): Promise<Date> {
    const { dag, settledUntil } = planned;
    if (this.#stopping.signal.aborted) return settledUntil;
    const { counts } = this;
    const signal = this.#stopping.signal;
    const startRestart = (restarted: ScheduledDag, occurrence: Date): void => this.#startRestart(restarted, occurrence);
    try {
      const until = await settleOccurrences({ ...this.#options, counts, startRestart, signal }, planned, span);
      await this.#tellSkipped(dag.name);
      return until;
    } catch (error) {
      this.#options.logger.error({ dagName: dag.name, error }, 'occurrences could not be settled and will be retried');
      // The DAG is retried for a bounded time, because it holds back the watermark of the whole scheduler.
      return later(settledUntil, before(span.to, Math.max(dag.catchupMs, span.lateMs)));
    }
  }

  async #tellSkipped(dagName: string): Promise<void> {
    const untold = this.#untold.get(dagName) ?? [];
    for (const { skipped, occurrences } of untold) await this.#options.tellSkipped(skipped, occurrences);
    this.#untold.delete(dagName);
  }

  async #storeWatermarks(to: Date, settled: readonly Date[]): Promise<void> {
    const { state } = this.#options;
    const added = [...this.#newlyKnown];
    await state.advance(added, to);
    for (const name of added) this.#newlyKnown.delete(name);
    await state.advance([schedulerKey], new Date(Math.min(...settled.map((moment) => moment.getTime()))));
  }

  #update(fileName: string, entry: DagEntry | undefined, isSuspended: boolean): void {
    const dag = entry && toScheduledDag(entry);
    if (entry !== undefined && entry.errors.length > 0 && this.#due.has(fileName)) {
      this.#options.logger.warn({ fileName }, 'dag file has errors, its schedule is not followed');
    }
    if (dag === undefined || isSuspended) {
      if (dag !== undefined && this.#due.has(fileName)) this.#dequeueRuns(dag);
      this.#due.remove(fileName);
      if (isSuspended) this.#suspended.add(fileName);
      else this.#suspended.delete(fileName);
      return;
    }
    this.#due.put(dag, this.#settledUntil(dag, this.#suspended.delete(fileName)));
    if (dag.catchupMs > 0 && this.#startingPoint?.isKnown(dag) !== true) this.#newlyKnown.add(dag.name);
  }

  #settledUntil(dag: ScheduledDag, isReleased: boolean): Date {
    const now = this.#options.clock.now();
    if (this.#lastTick === undefined) return isReleased ? now : (this.#startingPoint?.countsFrom(dag) ?? now);
    // Occurrences during the suspension are not caught up. Its end may have been noticed only at this full minute.
    return isReleased ? later(this.#lastTick, before(startOfMinute(now), 60_000)) : this.#lastTick;
  }

  #dequeueRuns(dag: ScheduledDag): void {
    this.#inBackground(`suspend ${dag.name}`, dag, () => dequeueScheduled(this.#options, dag.name));
  }

  #startRestart(dag: ScheduledDag, occurrence: Date): void {
    const isStillScheduled = ({ fileName, name }: ScheduledDag): boolean =>
      this.#due.has(fileName) && dag.name === name && !this.#suspended.has(fileName);
    this.#inBackground(`restart ${dag.name}`, dag, async () => {
      const outcome = await restartForOccurrence(
        { ...this.#options, isStillScheduled },
        { dag, occurrence },
        this.#stopping.signal,
      );
      this.counts.add(outcome, dag, { occurrences: [occurrence] });
      await this.#tellSkipped(dag.name);
    });
  }

  /** Ignores the call while work of the same key is in progress. */
  #inBackground(key: string, { name }: ScheduledDag, work: () => Promise<void>): void {
    if (this.#background.has(key)) return;
    const promise = work()
      .catch((error: unknown) => {
        this.#options.logger.error({ dagName: name, error }, 'schedule could not be followed');
      })
      .finally(() => this.#background.delete(key));
    this.#background.set(key, promise);
  }

  async #keepTicking(): Promise<void> {
    const { clock, timer, logger } = this.#options;
    const { signal } = this.#stopping;
    await this.#waitUntilReady();
    while (!signal.aborted) {
      try {
        await this.tick();
      } catch (error) {
        logger.error({ error }, 'schedules could not be settled and will be retried');
      }
      await pause(timer, untilNextMinuteMs(clock.now()), signal);
    }
  }

  async #waitUntilReady(): Promise<void> {
    const { catalog, timer } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await catalog.ready(signal);
        return;
      } catch {
        // The folder is still being read, which the catalog logs.
        await pause(timer, retryReadyMs, signal);
      }
    }
  }
}
