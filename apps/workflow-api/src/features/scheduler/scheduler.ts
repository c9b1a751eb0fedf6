import type { Timer } from '@weir/workflow-engine';
import type { Logger, Resource } from '@weir/service-kit';
import type { ScheduleTimes } from '@weir/workflow-spec';
import type { Clock } from '../../adapters/clock';
import type { DagRunRepository, RunStopper, StartRun } from '../dag-runs';
import type { DagCatalog, DagEntry, DagFlagRepository, Suspensions } from '../dags';
import type { DagSourceDependencies } from './dag-source';
import { before, later, minuteOf, untilNextMinuteMs } from './due-actions';
import { pause } from './pause';
import { restartSlot } from './restart-slot';
import { scheduledDagOf, type ScheduledDag } from './scheduled-dag';
import { schedulerItself, type SchedulerStateRepository } from './scheduler-state-repository';
import { createSlotBook, type PlannedDag, type SlotBook } from './slot-book';
import { createSlotCounts, type SlotCounts } from './slot-counts';
import { dropQueued } from './start-slot';
import { readStartingPoint, type StartingPoint } from './starting-point';
import { workOffSlots } from './work-off-slots';

export interface SchedulerOptions extends DagSourceDependencies {
  readonly catalog: Pick<DagCatalog, 'follow' | 'ready' | 'suspensionChanged'>;
  readonly suspensions: Pick<Suspensions, 'refresh'>;
  readonly flags: DagFlagRepository;
  readonly state: SchedulerStateRepository;
  readonly runs: DagRunRepository;
  readonly startRun: StartRun;
  readonly stopper: RunStopper;
  readonly times: ScheduleTimes;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** A slot that is no later than this is one of now: a restart of the server over a full minute loses nothing. */
const lateMs = 2 * 60_000;
const dagsAtOnce = 8;
const retryReadyMs = 1000;

/**
 * Starts, stops and restarts DAGs when their schedules say so. The id of a run follows from its slot, so any number of
 * schedulers may work on one database without a leader.
 */
export class Scheduler implements Resource {
  readonly name = 'scheduler';
  readonly counts: SlotCounts;
  readonly #options: SchedulerOptions;
  readonly #book: SlotBook;
  readonly #suspended = new Set<string>();
  /** Names of DAGs with a catch-up window that are to be stored as known. */
  readonly #unknown = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #background = new Map<string, Promise<void>>();
  #startingPoint: StartingPoint | undefined;
  #lastTick: Date | undefined;
  #tickMs = 0;
  #unfollow: (() => void) | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#book = createSlotBook(options.times);
    this.counts = createSlotCounts(options.logger);
  }

  /** Reads where an earlier scheduler left off and listens to the catalog; best before that reads its folder. */
  async prepare(): Promise<void> {
    const { catalog, clock } = this.#options;
    this.#startingPoint = await readStartingPoint(this.#options, minuteOf(clock.now()));
    this.#unfollow = catalog.follow((fileName, entry, isSuspended) => this.#take(fileName, entry, isSuspended));
  }

  /** Begins to work off slots, once the catalog is read. */
  start(): void {
    this.#loop = this.#keepTicking();
  }

  /** Waits for what is under way. What is not worked off by then is left to the next scheduler. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unfollow?.();
    await this.#loop;
    await Promise.all(this.#background.values());
  }

  /** Works off everything that is due by now. Only DAGs that have something due cost anything. */
  async tick(): Promise<void> {
    const { catalog, suspensions, clock } = this.#options;
    catalog.suspensionChanged(await suspensions.refresh());
    const startedAt = clock.now();
    const to = minuteOf(startedAt);
    // The clock was set back: what comes now has been worked off.
    if (this.#lastTick !== undefined && to < this.#lastTick) return;
    // What is late because the last tick took its time is not too late.
    const span = { to, lateMs: lateMs + this.#tickMs };
    const queue = this.#book.due(to)[Symbol.iterator]();
    const settled: Date[] = [to];
    await Promise.all(Array.from({ length: dagsAtOnce }, () => this.#workOff(queue, span, settled)));
    this.#lastTick = to;
    this.#tickMs = clock.now().getTime() - startedAt.getTime();
    await this.#remember(to, settled);
    this.#options.logger.debug({ due: settled.length - 1, of: this.#book.size, durationMs: this.#tickMs }, 'tick');
  }

  async #workOff(
    queue: Iterator<PlannedDag> & Iterable<PlannedDag>,
    span: { readonly to: Date; readonly lateMs: number },
    settled: Date[],
  ): Promise<void> {
    for (const planned of queue) {
      const until = await this.#settle(planned, span);
      settled.push(until);
      this.#book.settle(planned.dag.fileName, until);
    }
  }

  async #settle(planned: PlannedDag, span: { readonly to: Date; readonly lateMs: number }): Promise<Date> {
    const { dag, settledUntil } = planned;
    if (this.#stopping.signal.aborted) return settledUntil;
    const { counts } = this;
    const signal = this.#stopping.signal;
    const beginRestart = (restarted: ScheduledDag, slot: Date): void => this.#beginRestart(restarted, slot);
    try {
      return await workOffSlots({ ...this.#options, counts, beginRestart, signal }, planned, span);
    } catch (error) {
      this.#options.logger.error({ dagName: dag.name, error }, 'slots could not be worked off, tried again');
      // Not for ever: it must not hold back the watermark of the whole scheduler.
      return later(settledUntil, before(span.to, Math.max(dag.catchupMs, span.lateMs)));
    }
  }

  async #remember(to: Date, settled: readonly Date[]): Promise<void> {
    const { state } = this.#options;
    const unknown = [...this.#unknown];
    await state.advance(unknown, to);
    for (const name of unknown) this.#unknown.delete(name);
    await state.advance([schedulerItself], new Date(Math.min(...settled.map((moment) => moment.getTime()))));
  }

  #take(fileName: string, entry: DagEntry | undefined, isSuspended: boolean): void {
    const dag = entry && scheduledDagOf(entry);
    if (entry !== undefined && entry.errors.length > 0 && this.#book.has(fileName)) {
      this.#options.logger.warn({ fileName }, 'dag file has errors, its schedule is not followed');
    }
    if (dag === undefined || isSuspended) {
      if (dag !== undefined && this.#book.has(fileName)) this.#dropQueuedOf(dag);
      this.#book.remove(fileName);
      if (isSuspended) this.#suspended.add(fileName);
      else this.#suspended.delete(fileName);
      return;
    }
    this.#book.put(dag, this.#settledUntil(dag, this.#suspended.delete(fileName)));
    if (dag.catchupMs > 0 && this.#startingPoint?.knows(dag) !== true) this.#unknown.add(dag.name);
  }

  #settledUntil(dag: ScheduledDag, isReleased: boolean): Date {
    const now = this.#options.clock.now();
    if (this.#lastTick === undefined) return isReleased ? now : (this.#startingPoint?.of(dag) ?? now);
    // No catch-up for the time of the suspension; that it has ended may have been noticed only at this full minute.
    return isReleased ? later(this.#lastTick, before(minuteOf(now), 60_000)) : this.#lastTick;
  }

  #dropQueuedOf(dag: ScheduledDag): void {
    this.#inBackground(`suspend ${dag.name}`, dag, () => dropQueued(this.#options, dag.name));
  }

  #beginRestart(dag: ScheduledDag, slot: Date): void {
    const isWanted = ({ fileName, name }: ScheduledDag): boolean =>
      this.#book.has(fileName) && dag.name === name && !this.#suspended.has(fileName);
    this.#inBackground(`restart ${dag.name}`, dag, async () => {
      const outcome = await restartSlot({ ...this.#options, isWanted }, { dag, slot }, this.#stopping.signal);
      this.counts.add(outcome, dag, { slot });
    });
  }

  /** One at a time of the same key; another one has no part in it. */
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
    await this.#untilReady();
    while (!signal.aborted) {
      try {
        await this.tick();
      } catch (error) {
        logger.error({ error }, 'schedules could not be worked off, tried again');
      }
      await pause(timer, untilNextMinuteMs(clock.now()), signal);
    }
  }

  async #untilReady(): Promise<void> {
    const { catalog, timer } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await catalog.ready(signal);
        return;
      } catch {
        // The folder is still being read, which is said elsewhere.
        await pause(timer, retryReadyMs, signal);
      }
    }
  }
}
