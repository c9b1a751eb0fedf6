import path from 'node:path';
import { isFileTrigger, type FileTrigger } from '@weir/workflow-spec';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import type { Logger, Resource } from '@weir/service-kit';
import { createFailureReport, type FailureReport } from '../../adapters/failure-report';
import { pause } from '../../adapters/pause';
import { createFolderWatch, type DagEntry, type DagFiles, type FolderWatch } from '../dags';
import type { DagRunRepository, StartRun } from '../runs';
import { folderOf, listFiles, placeOf, type ArrivedFile } from './arrived-files';
import { startForFiles, type FileOutcome, type FileStartDependencies } from './start-for-files';

export interface FileTriggersOptions {
  readonly files: Pick<DagFiles, 'catalog' | 'store' | 'serverSpecs'>;
  readonly runs: Pick<DagRunRepository, 'acceptedFiles'>;
  readonly startRun: StartRun;
  /** The folder that relative globs start at. */
  readonly dagsFolder: string;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

interface SeenFile {
  readonly mark: string;
  /** When it was first seen as it is. */
  readonly sinceMs: number;
  /** Whether it has its run. */
  readonly isSettled: boolean;
  /** After a refusal. */
  readonly notBeforeMs: number;
}

interface WatchedTrigger extends FileTrigger {
  readonly seen: Map<string, SeenFile>;
  readonly watch: FolderWatch | undefined;
}

interface TriggeredDag {
  readonly fileName: string;
  readonly name: string;
  readonly text: string;
  readonly triggers: readonly WatchedTrigger[];
  readonly report: FailureReport;
  nextScanMs: number;
  nextPruneMs: number;
}

const scanMs = 5_000;
const waitingMs = 1_000;
/** A scan of many files is repeated after this many times its duration. */
const pauseFactor = 20;
const startsPerScan = 100;
const maxWatches = 500;
const refusedMs = 5 * 60_000;
const dayMs = 24 * 3_600_000;
/** For so long it is known that a file that is gone has had its run. */
const retainedMs = 90 * dayMs;

/**
 * Starts runs for files that arrive. The system's events only make a scan happen earlier. A file is accepted in the
 * transaction that stores its run, so any number of processes may scan the same folders.
 */
export class FileTriggers implements Resource {
  readonly name = 'file triggers';
  readonly #options: FileTriggersOptions;
  readonly #starting: FileStartDependencies;
  readonly #dags = new Map<string, TriggeredDag>();
  readonly #scans = new Map<TriggeredDag, Promise<void>>();
  readonly #stopping = new AbortController();
  #woken = new AbortController();
  #watches = 0;
  #unfollow: (() => void) | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: FileTriggersOptions) {
    this.#options = options;
    const { files, runs, startRun, clock, logger } = options;
    const { store, serverSpecs: specs } = files;
    this.#starting = { store, specs, acceptedFiles: runs.acceptedFiles, startRun, clock, logger };
  }

  /** Follows the DAGs without scanning. */
  follow(): void {
    this.#unfollow = this.#options.files.catalog.follow((fileName, entry, isSuspended) => {
      const isActive = entry !== undefined && !isSuspended && entry.errors.length === 0;
      this.#put(fileName, isActive ? entry.dag : undefined);
    });
  }

  start(): void {
    this.follow();
    this.#loop = this.#keepScanning();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unfollow?.();
    for (const dag of this.#dags.values()) this.#unwatch(dag);
    await this.#loop;
    await Promise.all(this.#scans.values());
  }

  /** Scans the folders of every DAG whose time has come, and waits for the end. */
  async tick(): Promise<void> {
    this.#startScans();
    await Promise.all(this.#scans.values());
  }

  #put(fileName: string, dag: DagEntry['dag'] | undefined): void {
    const triggers = dag?.triggers?.filter(isFileTrigger) ?? [];
    const text = JSON.stringify([dag?.name, triggers]);
    const previous = this.#dags.get(fileName);
    if (previous?.text === text) return;
    if (previous !== undefined) this.#unwatch(previous);
    this.#dags.delete(fileName);
    if (dag === undefined || triggers.length === 0) return;
    const report = createFailureReport(this.#options.logger, {
      failed: 'folders of a trigger could not be scanned and will be scanned again',
      succeeded: 'folders of a trigger can be scanned again',
    });
    const watched = triggers.map((trigger) => this.#watch(trigger, () => this.#wake(fileName)));
    this.#dags.set(fileName, {
      fileName,
      name: dag.name,
      text,
      triggers: watched,
      report,
      nextScanMs: 0,
      nextPruneMs: 0,
    });
    this.#woken.abort();
  }

  #wake(fileName: string): void {
    const dag = this.#dags.get(fileName);
    if (dag !== undefined) dag.nextScanMs = 0;
    this.#woken.abort();
  }

  #watch(trigger: FileTrigger, onChange: () => void): WatchedTrigger {
    const { dagsFolder, logger } = this.#options;
    const files = path.resolve(dagsFolder, trigger.files);
    const isWatched = this.#watches < maxWatches;
    if (isWatched) this.#watches += 1;
    const watch = isWatched ? createFolderWatch({ folder: folderOf(files), logger, onChange }) : undefined;
    return { ...trigger, files, seen: new Map(), watch };
  }

  #unwatch({ triggers }: TriggeredDag): void {
    for (const { watch } of triggers) {
      if (watch !== undefined) this.#watches -= 1;
      watch?.stop();
    }
  }

  async #keepScanning(): Promise<void> {
    const { timer } = this.#options;
    while (!this.#stopping.signal.aborted) {
      this.#woken = new AbortController();
      this.#startScans();
      await pause(timer, waitingMs, AbortSignal.any([this.#stopping.signal, this.#woken.signal]));
    }
  }

  /** A folder that does not answer holds up only its own DAG. */
  #startScans(): void {
    const now = this.#now();
    for (const dag of this.#dags.values()) {
      if (dag.nextScanMs > now || this.#scans.has(dag)) continue;
      dag.nextScanMs = now + scanMs;
      const scan = this.#scan(dag)
        .then(
          () => dag.report.succeeded(),
          (error: unknown) => {
            if (!this.#stopping.signal.aborted) dag.report.failed(error);
          },
        )
        .finally(() => this.#scans.delete(dag));
      this.#scans.set(dag, scan);
    }
  }

  async #scan(dag: TriggeredDag): Promise<void> {
    const startedMs = this.#now();
    let isComplete = true;
    let isWaiting = false;
    for (const trigger of dag.triggers) {
      await trigger.watch?.follow();
      const found = await listFiles(trigger.files, this.#stopping.signal);
      isComplete &&= found.isComplete;
      await this.#note(dag, trigger, found.files);
      await this.#startQuiet(dag, trigger, found.files);
      isWaiting ||= [...trigger.seen.values()].some(({ isSettled, notBeforeMs }) => !isSettled && notBeforeMs === 0);
    }
    if (isComplete) await this.#prune(dag);
    const now = this.#now();
    const pauseMs = Math.max(isWaiting ? waitingMs : scanMs, (now - startedMs) * pauseFactor);
    // An event during the scan has already asked for the next one.
    if (dag.nextScanMs !== 0) dag.nextScanMs = now + pauseMs;
  }

  /** Notes which files are there, since when they are as they are, and which have had their runs. */
  async #note({ name }: TriggeredDag, { seen }: WatchedTrigger, files: readonly ArrivedFile[]): Promise<void> {
    const present = new Set(files.map((file) => file.path));
    for (const file of seen.keys()) if (!present.has(file)) seen.delete(file);
    const changed = files.filter((file) => seen.get(file.path)?.mark !== file.mark);
    const accepted = await this.#starting.acceptedFiles.list(
      name,
      changed.map((file) => placeOf(file.path)),
    );
    const marks = new Set(accepted.map(({ path: file, mark }) => `${mark} ${file}`));
    for (const { path: file, mark } of changed) {
      seen.set(file, { mark, sinceMs: this.#now(), isSettled: marks.has(`${mark} ${file}`), notBeforeMs: 0 });
    }
  }

  async #startQuiet(dag: TriggeredDag, trigger: WatchedTrigger, files: readonly ArrivedFile[]): Promise<void> {
    const { seen, quietSec, batch } = trigger;
    const now = this.#now();
    const isQuiet = (file: ArrivedFile): boolean => {
      const one = seen.get(file.path);
      return one !== undefined && !one.isSettled && one.notBeforeMs <= now && now - one.sinceMs >= quietSec * 1000;
    };
    const quiet = files.filter(isQuiet).slice(0, startsPerScan);
    const groups = batch && quiet.length > 0 ? [quiet] : quiet.map((file) => [file]);
    const { signal } = this.#stopping;
    for (const group of groups) {
      // The DAG was changed, removed or suspended meanwhile.
      if (signal.aborted || this.#dags.get(dag.fileName) !== dag) return;
      const outcomes = await startForFiles(this.#starting, dag, { files: group, signal });
      for (const [file, outcome] of outcomes) this.#settle(seen, file, outcome);
    }
  }

  #settle(seen: Map<string, SeenFile>, file: string, outcome: FileOutcome): void {
    const one = seen.get(file);
    if (one === undefined) return;
    if (outcome === 'changed') seen.delete(file);
    else if (outcome === 'accepted') seen.set(file, { ...one, isSettled: true });
    else seen.set(file, { ...one, notBeforeMs: this.#now() + refusedMs });
  }

  async #prune(dag: TriggeredDag): Promise<void> {
    const { acceptedFiles, clock } = this.#starting;
    const now = clock.now();
    if (dag.nextPruneMs > now.getTime()) return;
    const places = dag.triggers.flatMap(({ seen }) => [...seen.keys()].map(placeOf));
    await acceptedFiles.see(dag.name, places, now);
    await acceptedFiles.prune(dag.name, new Date(now.getTime() - retainedMs));
    dag.nextPruneMs = now.getTime() + dayMs;
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}
