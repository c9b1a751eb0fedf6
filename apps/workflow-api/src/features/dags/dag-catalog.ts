import { mkdir } from 'node:fs/promises';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@weir/service-kit';
import type { Clock } from '../../adapters/clock';
import { compareEntries, dagEntry, type DagEntry } from './dag-entry';
import { dagsLoading } from './dag-errors';
import { fileNameOf, type DagFileStore } from './dag-file-store';
import { watchFolder } from './folder-watch';
import { createNextRunOrder, type NextRunOrder } from './next-run-order';
import { createSortedList, type SortedList } from './sorted-list';
import type { Suspensions } from './suspensions';

export interface DagCatalogOptions {
  readonly store: DagFileStore;
  readonly suspensions: Suspensions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Pause between two comparisons of the whole folder. Default 30 s. */
  readonly rescanMs?: number;
  /** How long a reader waits for the first scan. Default 20 s. */
  readonly firstScanTimeoutMs?: number;
}

const readersAtOnce = 8;

/**
 * All DAG files in memory, in the orders that lists need. Changes of single files are taken in as they happen, so a
 * list costs what its page costs. The list of entries belongs to the catalog and is only to be read.
 */
export class DagCatalog {
  readonly name = 'dag catalog';
  readonly #options: Required<DagCatalogOptions>;
  readonly #entries = new Map<string, DagEntry>();
  readonly #byName: SortedList<DagEntry> = createSortedList(compareEntries);
  readonly #nextRuns: NextRunOrder = createNextRunOrder();
  readonly #turns = new Map<string, Promise<void>>();
  readonly #stopped = new AbortController();
  #problems: readonly string[] = [];
  #scan: Promise<void> | undefined;
  #firstScan: Promise<void> | undefined;
  #loop: Promise<void> | undefined;
  #watch: { stop(): void } | undefined;

  constructor(options: DagCatalogOptions) {
    this.#options = { rescanMs: 30_000, firstScanTimeoutMs: 20_000, ...options };
  }

  /** Begins to read the folder and returns before that is done. */
  async start(): Promise<void> {
    const { store, logger } = this.#options;
    await mkdir(store.folder, { recursive: true });
    await this.#options.suspensions.refresh();
    // First the watch, then the scan: nothing that changes in between is missed.
    this.#watch = watchFolder({ folder: store.folder, logger, onChange: (names) => this.#onChange(names) });
    this.#firstScan = this.#rescan();
    this.#loop = this.#keepComparing();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#watch?.stop();
    await Promise.all([this.#loop, this.#scan, ...this.#turns.values()]);
  }

  /** Waits until every file was read once. Throws `dags_loading` when that takes too long. */
  async ready(signal?: AbortSignal): Promise<void> {
    if (this.#firstScan === undefined) throw dagsLoading();
    const timeout = AbortSignal.timeout(this.#options.firstScanTimeoutMs);
    const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    await Promise.race([this.#firstScan, rejectWhenAborted(ended)]);
  }

  /** By name. */
  get entries(): SortedList<DagEntry> {
    return this.#byName;
  }

  /** What keeps files of the folder from being listed. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  nextRunOf(fileName: string): Date | undefined {
    this.#nextRuns.refresh(this.#options.clock.now());
    return this.#nextRuns.nextRunOf(fileName);
  }

  pageByNextRun(order: 'asc' | 'desc', start: number, count: number): readonly DagEntry[] {
    this.#nextRuns.refresh(this.#options.clock.now());
    return this.#nextRuns.page(order, start, count);
  }

  /** Takes in a file that was made, changed or removed. */
  index(fileName: string): Promise<void> {
    const before = this.#turns.get(fileName) ?? Promise.resolve();
    // One after the other, so that an older content never replaces a newer one.
    const turn = before.then(() => this.#read(fileName));
    this.#turns.set(fileName, turn);
    return turn.finally(() => {
      if (this.#turns.get(fileName) === turn) this.#turns.delete(fileName);
    });
  }

  /** Takes in that DAGs were suspended or released. */
  suspensionChanged(fileNames: readonly string[]): void {
    for (const fileName of fileNames) {
      const entry = this.#entries.get(fileName);
      if (entry !== undefined) this.#replace(entry, entry);
    }
  }

  async #read(fileName: string): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    try {
      const file = await this.#options.store.read(fileName);
      this.#replace(this.#entries.get(fileName), file === undefined ? undefined : dagEntry(file));
    } catch (error) {
      // The entry stays as it was; the next comparison tries again.
      this.#options.logger.warn({ fileName, error }, 'dag file could not be read');
    }
  }

  #replace(before: DagEntry | undefined, after: DagEntry | undefined): void {
    if (before !== undefined) {
      this.#entries.delete(before.fileName);
      this.#byName.remove(before);
      this.#nextRuns.remove(before);
    }
    if (after !== undefined) {
      this.#entries.set(after.fileName, after);
      this.#byName.insert(after);
      this.#nextRuns.put(after, this.#options.suspensions.has(after.fileName), this.#options.clock.now());
    }
  }

  #onChange(names: ReadonlySet<string> | undefined): void {
    if (names === undefined) {
      void this.#rescan();
      return;
    }
    for (const fileName of new Set([...names].flatMap((name) => fileNameOf(name) ?? []))) void this.index(fileName);
  }

  #rescan(): Promise<void> {
    this.#scan ??= this.#compareFolder()
      .catch((error: unknown) => {
        this.#options.logger.warn({ folder: this.#options.store.folder, error }, 'dag folder could not be read');
      })
      .finally(() => {
        this.#scan = undefined;
      });
    return this.#scan;
  }

  async #compareFolder(): Promise<void> {
    const { fileNames, problems } = await this.#options.store.list();
    this.#problems = problems;
    const listed = new Set(fileNames);
    const gone = [...this.#entries.keys()].filter((fileName) => !listed.has(fileName));
    const queue = [...fileNames, ...gone][Symbol.iterator]();
    await Promise.all(Array.from({ length: readersAtOnce }, () => this.#work(queue)));
  }

  async #work(queue: Iterator<string> & Iterable<string>): Promise<void> {
    for (const fileName of queue) {
      if (this.#stopped.signal.aborted) return;
      const mark = await this.#options.store.markOf(fileName);
      if (mark !== undefined && mark === this.#entries.get(fileName)?.mark) continue;
      await this.index(fileName);
      // Parsing takes the whole thread; requests get their turn between two files.
      await nextTurn();
    }
  }

  async #keepComparing(): Promise<void> {
    await this.#firstScan;
    while (await this.#pause()) await this.#rescan();
  }

  /** Whether to go on after it. */
  async #pause(): Promise<boolean> {
    const { signal } = this.#stopped;
    // Ends early, by an abort, only when the catalog stops.
    await delay(this.#options.rescanMs, undefined, { signal, ref: false }).catch(() => undefined);
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
