import { namedCalendars } from '../calendars';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextEventLoopIteration, setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@weir/service-kit';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { Clock } from '@weir/workflow-engine/model';
import type { SpecReader } from '../../dag-parser';
import type { BaseConfigs } from './base-configs';
import { brokenEntry, compareEntries, dagEntry, type DagEntry } from './dag-entry';
import { dagsLoading } from './dag-errors';
import { parseFileName, type DagFileStore } from './dag-file-store';
import { createFolderWatch, type FolderWatch } from './folder-watch';
import { createNextRunOrder, type NextRunOrder } from './next-run-order';
import { describeProblem, getSystemCode } from './read-dag-file';
import { createSortedList, type SortedList } from './sorted-list';
import type { Suspensions } from './suspensions';

export interface DagCatalogOptions {
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  /** The base configurations of every file: when they change, all files are read again. */
  readonly base: Pick<BaseConfigs, 'mark'>;
  readonly suspensions: Suspensions;
  /** Calculates when schedules are due. */
  readonly times: ScheduleTimes;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Pause between two comparisons of the whole folder. Default: 30 s. */
  readonly rescanMs?: number;
  /** Limits the time that a reader waits for the first scan. Default: 20 s. */
  readonly firstScanTimeoutMs?: number;
}

/** Gets the changed entry of a file; without an entry, the file was removed. */
export type EntryListener = (fileName: string, entry: DagEntry | undefined, isSuspended: boolean) => void;

const readersAtOnce = 8;
// A replaced folder is noticed after this time, where the system does not report it.
const folderCheckMs = 1000;

/**
 * Holds all DAG files in memory, in the orders that lists need. Changes of single files are indexed as they happen,
 * so a list costs only as much as its page. Readers must not change the list of entries, which belongs to the
 * catalog.
 */
export class DagCatalog {
  readonly name = 'dag catalog';
  readonly #options: Required<DagCatalogOptions>;
  readonly #entries = new Map<string, DagEntry>();
  readonly #byName: SortedList<DagEntry> = createSortedList(compareEntries);
  readonly #nextRuns: NextRunOrder;
  readonly #listeners = new Set<EntryListener>();
  readonly #pendingReads = new Map<string, Promise<void>>();
  readonly #stopped = new AbortController();
  readonly #watch: FolderWatch;
  #problems: readonly string[] = [];
  #baseMark = '';
  #scan: Promise<void> | undefined;
  #firstScan: Promise<void> | undefined;
  #lateStart: Promise<void> | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: DagCatalogOptions) {
    this.#options = { rescanMs: 30_000, firstScanTimeoutMs: 20_000, ...options };
    this.#nextRuns = createNextRunOrder(options.times);
    this.#watch = createFolderWatch({
      folder: options.store.folder,
      logger: options.logger,
      onChange: (names) => this.#onChange(names),
    });
  }

  /** Begins to read the folder and returns before it has finished. */
  async start(): Promise<void> {
    await mkdir(this.#options.store.folder, { recursive: true, mode: 0o700 });
    await this.#options.suspensions.refresh();
    this.#firstScan = this.#rescan();
    this.#loop = this.#keepComparing();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#watch.stop();
    await Promise.all([this.#loop, this.#scan, ...this.#pendingReads.values()]);
  }

  /** Waits until every file was read once. Throws `dags_loading` when that takes too long. */
  async ready(signal?: AbortSignal): Promise<void> {
    // A process that serves single commands reads the folder when the first of them asks for a list.
    if (this.#firstScan === undefined) await (this.#lateStart ??= this.start());
    const timeout = AbortSignal.timeout(this.#options.firstScanTimeoutMs);
    const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    await Promise.race([this.#firstScan, rejectWhenAborted(ended)]);
  }

  /** The entries by name. */
  get entries(): SortedList<DagEntry> {
    return this.#byName;
  }

  /** The reasons why files of the folder are not listed. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  getNextRun(fileName: string): Date | undefined {
    this.#nextRuns.refresh(this.#options.clock.now());
    return this.#nextRuns.getNextRun(fileName);
  }

  pageByNextRun(order: 'asc' | 'desc', start: number, count: number): readonly DagEntry[] {
    this.#nextRuns.refresh(this.#options.clock.now());
    return this.#nextRuns.page(order, start, count);
  }

  /** Number of files. */
  get size(): number {
    return this.#entries.size;
  }

  /** Notifies of each entry, then of every change of an entry or of its suspension, until unsubscribed. */
  follow(listener: EntryListener): () => void {
    for (const entry of this.#byName.all()) this.#notify(listener, entry);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Indexes a file that was created, changed or removed. */
  index(fileName: string): Promise<void> {
    const previous = this.#pendingReads.get(fileName) ?? Promise.resolve();
    // Reads of a file are sequential, so that an older content never replaces a newer one.
    const read = previous.then(() => this.#read(fileName));
    this.#pendingReads.set(fileName, read);
    return read.finally(() => {
      if (this.#pendingReads.get(fileName) === read) this.#pendingReads.delete(fileName);
    });
  }

  /** Updates the entries of DAGs that were suspended or released. */
  suspensionChanged(fileNames: readonly string[]): void {
    for (const fileName of fileNames) {
      const entry = this.#entries.get(fileName);
      if (entry !== undefined) this.#replace(entry, entry);
    }
  }

  /** Calculates the next runs of the DAGs that follow calendars again. */
  calendarsChanged(): void {
    for (const entry of [...this.#entries.values()]) {
      if (namedCalendars(entry.dag.schedule).size > 0) this.#replace(entry, entry);
    }
  }

  async #read(fileName: string): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    try {
      const file = await this.#options.store.read(fileName);
      const entry = file === undefined ? undefined : await dagEntry(file, this.#options.specs);
      this.#replace(this.#entries.get(fileName), entry);
    } catch (error) {
      // The entry stays unchanged; the next comparison tries again.
      this.#options.logger.warn({ fileName, error }, 'dag file could not be read');
      if (this.#entries.has(fileName)) return;
      const filePath = path.join(this.#options.store.folder, `${fileName}.yaml`);
      this.#replace(undefined, brokenEntry({ fileName, filePath, mark: '' }, describeProblem(error)));
    }
  }

  #replace(previous: DagEntry | undefined, after: DagEntry | undefined): void {
    if (previous !== undefined) {
      this.#entries.delete(previous.fileName);
      this.#byName.remove(previous);
      this.#nextRuns.remove(previous);
    }
    if (after !== undefined) {
      this.#entries.set(after.fileName, after);
      this.#byName.insert(after);
      this.#nextRuns.put(after, this.#options.suspensions.has(after.fileName), this.#options.clock.now());
    }
    for (const listener of this.#listeners) {
      if (after !== undefined) this.#notify(listener, after);
      else if (previous !== undefined) listener(previous.fileName, undefined, false);
    }
  }

  #notify(listener: EntryListener, entry: DagEntry): void {
    listener(entry.fileName, entry, this.#options.suspensions.has(entry.fileName));
  }

  #onChange(names: ReadonlySet<string> | undefined): void {
    if (names === undefined) {
      void this.#rescan();
      return;
    }
    for (const fileName of new Set([...names].flatMap((name) => parseFileName(name) ?? []))) void this.index(fileName);
  }

  #rescan(): Promise<void> {
    this.#scan ??= this.#compareFolder()
      .catch((error: unknown) => {
        const { folder } = this.#options.store;
        this.#problems = [`The folder ${folder} cannot be read (${getSystemCode(error)}).`];
        this.#options.logger.warn({ folder, error }, 'dag folder could not be read');
      })
      .finally(() => {
        this.#scan = undefined;
      });
    return this.#scan;
  }

  async #compareFolder(): Promise<void> {
    // The watch begins before the scan, so that no change in between is missed.
    await this.#watch.follow();
    const baseMark = await this.#options.base.mark();
    const isBaseSame = baseMark === this.#baseMark;
    const { fileNames, problems } = await this.#options.store.list();
    this.#problems = problems;
    const listed = new Set(fileNames);
    const gone = [...this.#entries.keys()].filter((fileName) => !listed.has(fileName));
    const queue = [...fileNames, ...gone][Symbol.iterator]();
    await Promise.all(Array.from({ length: readersAtOnce }, () => this.#work(queue, isBaseSame)));
    this.#baseMark = baseMark;
  }

  async #work(queue: Iterator<string> & Iterable<string>, isBaseSame: boolean): Promise<void> {
    for (const fileName of queue) {
      if (this.#stopped.signal.aborted) return;
      // Without a mark the file is read, which reveals its problem.
      const mark = await this.#options.store.readMark(fileName).catch(() => undefined);
      if (isBaseSame && mark !== undefined && mark === this.#entries.get(fileName)?.mark) continue;
      await this.index(fileName);
      // Parsing a small file blocks the thread; requests are handled between two files.
      await nextEventLoopIteration();
    }
  }

  async #keepComparing(): Promise<void> {
    await this.#firstScan;
    const { rescanMs } = this.#options;
    const stepMs = Math.min(rescanMs, folderCheckMs);
    for (let waitedMs = stepMs; await this.#pause(stepMs); waitedMs += stepMs) {
      // A folder that cannot be checked is left to the regular comparison, which reports it.
      if (waitedMs < rescanMs && !(await this.#isStale())) continue;
      await this.#rescan();
      waitedMs = 0;
    }
  }

  async #isStale(): Promise<boolean> {
    const isLeft = await this.#watch.isReplaced().catch(() => false);
    return isLeft || (await this.#options.base.mark()) !== this.#baseMark;
  }

  /** Returns false when the catalog was stopped. */
  async #pause(durationMs: number): Promise<boolean> {
    const { signal } = this.#stopped;
    // Only stopping the catalog ends the pause early, by an abort.
    await delay(durationMs, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(dagsLoading());
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
