import path from 'node:path';
import { isFileTrigger, type FileTrigger } from '@weir/workflow-spec';
import { isObjectGlob } from '@weir/workflow-spec/text';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import type { Logger, Resource } from '@weir/service-kit';
import { createFailureReport, reportFailure, type FailureReport } from '../../adapters/failure-report';
import { pause } from '../../adapters/pause';
import { createFolderWatch, type DagEntry, type DagFiles } from '../dags';
import type { DagRunRepository, StartRun } from '../runs';
import { readSource } from '../scheduler';
import { folderOf, listFiles, placeOf } from './arrived-files';
import { listingMs, type ArrivedObjects } from './arrived-objects';
import { forgetDeletedDags } from './forget-deleted-dags';
import { scanTrigger, type ScannedTrigger } from './file-scan';
import type { FileStartDependencies } from './start-for-files';

export interface FileTriggersOptions {
  readonly files: Pick<DagFiles, 'catalog' | 'store' | 'serverSpecs'>;
  readonly runs: Pick<DagRunRepository, 'acceptedFiles'>;
  readonly startRun: StartRun;
  readonly objects: ArrivedObjects;
  /** The folder that relative globs start at. */
  readonly dagsFolder: string;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** Triggers that are looked at together: those for folders, or one for objects, whose store may not answer. */
interface Scan {
  readonly triggers: readonly ScannedTrigger[];
  readonly isOfObjects: boolean;
  readonly report: FailureReport;
  readonly unwatch: () => void;
  nextMs: number;
  /** The scans that failed one after another. */
  failures: number;
  /** When it was last stored that its files were there; 0 before the first time. */
  seenMs: number;
}

interface TriggeredDag {
  readonly fileName: string;
  readonly name: string;
  readonly text: string;
  readonly scans: readonly Scan[];
}

const scanMs = 5_000;
const waitingMs = 1_000;
/** A scan of many files is repeated after this many times its duration. */
const pauseFactor = 20;
const longestListingMs = 10 * 60_000;
const maxWatches = 500;
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
  readonly #active = new Map<Scan, Promise<void>>();
  readonly #stopping = new AbortController();
  #woken = new AbortController();
  #watches = 0;
  readonly #forgetReport: FailureReport;
  #nextForgetMs = 0;
  #forgetting: Promise<void> | undefined;
  #unfollow: (() => void) | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: FileTriggersOptions) {
    this.#options = options;
    const { files, runs, startRun, clock, logger } = options;
    const { store, serverSpecs: specs } = files;
    this.#forgetReport = createFailureReport(logger, {
      failed: 'files of deleted DAGs could not be forgotten and will be forgotten later',
      succeeded: 'files of deleted DAGs can be forgotten again',
    });
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
    for (const { scans } of this.#dags.values()) for (const { unwatch } of scans) unwatch();
    await this.#loop;
    await Promise.all([...this.#active.values(), this.#forgetting]);
  }

  /** Does every scan whose time has come, and waits for the end. */
  async tick(): Promise<void> {
    this.#startScans();
    await Promise.all([...this.#active.values(), this.#forgetting]);
  }

  #put(fileName: string, dag: DagEntry['dag'] | undefined): void {
    const triggers = dag?.triggers?.filter(isFileTrigger) ?? [];
    const text = JSON.stringify([dag?.name, triggers]);
    const previous = this.#dags.get(fileName);
    if (previous?.text === text) {
      this.#repeatSoon(previous);
      return;
    }
    for (const { unwatch } of previous?.scans ?? []) unwatch();
    this.#dags.delete(fileName);
    if (dag === undefined || triggers.length === 0) return;
    const { name } = dag;
    const ofFolders = triggers.filter(({ files }) => !isObjectGlob(files));
    const ofObjects = triggers.filter(({ files }) => isObjectGlob(files));
    const scans = [
      ...(ofFolders.length === 0 ? [] : [this.#scanFolders(fileName, ofFolders)]),
      ...ofObjects.map((trigger) => this.#scanObjects({ fileName, name }, trigger)),
    ];
    this.#dags.set(fileName, { fileName, name, text, scans });
    this.#woken.abort();
  }

  /** What failed may succeed with the changed file. */
  #repeatSoon({ scans }: TriggeredDag): void {
    for (const scan of scans) {
      if (scan.isOfObjects && scan.failures > 0) scan.nextMs = Math.min(scan.nextMs, this.#now() + listingMs);
    }
  }

  #scanFolders(fileName: string, triggers: readonly FileTrigger[]): Scan {
    const report = createFailureReport(this.#options.logger, {
      failed: 'folders of a trigger could not be scanned and will be scanned again',
      succeeded: 'folders of a trigger can be scanned again',
    });
    const watched = triggers.map((trigger) => this.#watch(fileName, trigger));
    const unwatch = () => {
      for (const { stop } of watched) stop();
    };
    return { triggers: watched, isOfObjects: false, report, unwatch, nextMs: 0, failures: 0, seenMs: 0 };
  }

  #watch(fileName: string, trigger: FileTrigger): ScannedTrigger & { readonly stop: () => void } {
    const { dagsFolder, logger } = this.#options;
    const files = path.resolve(dagsFolder, trigger.files);
    const find = (signal: AbortSignal) => listFiles(files, signal);
    if (this.#watches >= maxWatches) return { ...trigger, seen: new Map(), find, stop: () => undefined };
    this.#watches += 1;
    const onChange = () => this.#wake(fileName);
    const watch = createFolderWatch({ folder: folderOf(files), logger, onChange });
    return {
      ...trigger,
      seen: new Map(),
      find: async (signal) => {
        await watch.follow();
        return find(signal);
      },
      stop: () => {
        this.#watches -= 1;
        watch.stop();
      },
    };
  }

  #wake(fileName: string): void {
    for (const scan of this.#dags.get(fileName)?.scans ?? []) if (!scan.isOfObjects) scan.nextMs = 0;
    this.#woken.abort();
  }

  #scanObjects(dag: { readonly fileName: string; readonly name: string }, trigger: FileTrigger): Scan {
    const { objects, logger } = this.#options;
    const report = createListingReport(logger, { dagName: dag.name, files: trigger.files });
    const find = async (signal: AbortSignal) => {
      // The DAG as it is now has the credentials, which are dropped with it.
      const source = await readSource(this.#starting, dag);
      return source === undefined ? { files: [], isComplete: false } : objects.list(source.dag, trigger, signal);
    };
    const triggers = [{ ...trigger, seen: new Map(), find }];
    return { triggers, isOfObjects: true, report, unwatch: () => undefined, nextMs: 0, failures: 0, seenMs: 0 };
  }

  async #keepScanning(): Promise<void> {
    const { timer } = this.#options;
    while (!this.#stopping.signal.aborted) {
      this.#woken = new AbortController();
      this.#startScans();
      await pause(timer, waitingMs, AbortSignal.any([this.#stopping.signal, this.#woken.signal]));
    }
  }

  /** A folder or a store that does not answer holds up only its own scan. */
  #startScans(): void {
    const now = this.#now();
    if (this.#nextForgetMs <= now) {
      this.#nextForgetMs = now + dayMs;
      this.#forgetting = this.#forget();
    }
    for (const dag of this.#dags.values()) {
      for (const scan of dag.scans) {
        if (scan.nextMs > now || this.#active.has(scan)) continue;
        const work = this.#scan(dag, scan).finally(() => this.#active.delete(scan));
        this.#active.set(scan, work);
      }
    }
  }

  /** Never rejects. */
  async #scan(dag: TriggeredDag, scan: Scan): Promise<void> {
    const startedMs = this.#now();
    scan.nextMs = startedMs + scanMs;
    let isWaiting = false;
    try {
      isWaiting = await this.#scanAll(dag, scan);
      scan.failures = 0;
      scan.report.succeeded();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      scan.failures += 1;
      scan.report.failed(error);
    }
    const now = this.#now();
    if (scan.isOfObjects) scan.nextMs = now + Math.min(longestListingMs, listingMs * 2 ** scan.failures);
    // An event during the scan has already asked for the next one.
    else if (scan.nextMs !== 0) {
      scan.nextMs = now + Math.max(isWaiting ? waitingMs : scanMs, (now - startedMs) * pauseFactor);
    }
  }

  /** Returns whether a file is not quiet yet. */
  async #scanAll(dag: TriggeredDag, scan: Scan): Promise<boolean> {
    const { signal } = this.#stopping;
    const isOver = () => this.#dags.get(dag.fileName) !== dag;
    const scanned = [];
    for (const trigger of scan.triggers) {
      scanned.push(await scanTrigger({ starting: this.#starting, dag, isOver, signal }, trigger));
    }
    if (scanned.every(({ isComplete }) => isComplete)) await this.#prune(dag, scan);
    return scanned.some(({ isWaiting }) => isWaiting);
  }

  /** Nothing is deleted before the files of all triggers were seen. */
  async #prune(dag: TriggeredDag, scan: Scan): Promise<void> {
    const { acceptedFiles, clock } = this.#starting;
    const now = clock.now();
    if (now.getTime() - scan.seenMs < dayMs) return;
    const places = scan.triggers.flatMap(({ seen }) => [...seen.keys()].map(placeOf));
    await acceptedFiles.see(dag.name, places, now);
    scan.seenMs = now.getTime();
    const areAllSeen = dag.scans.every(({ seenMs }) => now.getTime() - seenMs < 2 * dayMs);
    if (areAllSeen) await acceptedFiles.prune(dag.name, new Date(now.getTime() - retainedMs));
  }

  async #forget(): Promise<void> {
    const { signal } = this.#stopping;
    const { catalog } = this.#options.files;
    const { acceptedFiles } = this.#starting;
    const before = new Date(this.#now() - retainedMs);
    await reportFailure(
      forgetDeletedDags({ catalog, acceptedFiles }, { before, signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
      this.#forgetReport,
    );
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}

/** Logs each change of the reason why objects cannot be listed, and once that they can be listed again. */
function createListingReport(logger: Logger, about: { readonly dagName: string; readonly files: string }) {
  let reason: string | undefined;
  return {
    failed: (error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== reason) logger.warn({ ...about, problem }, 'objects of a trigger could not be listed');
      reason = problem;
    },
    succeeded: () => {
      if (reason !== undefined) logger.info(about, 'objects of a trigger can be listed again');
      reason = undefined;
    },
  };
}
