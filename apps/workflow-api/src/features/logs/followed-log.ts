import path from 'node:path';
import { isAppError, type AppError } from '@weir/foundation';
import type { Clock } from '@weir/workflow-engine/model';
import { LRUCache } from 'lru-cache';
import {
  findStart,
  openLogView,
  readLinesFrom,
  type LinePosition,
  type LinesRange,
  type LogIndexes,
  type LogLines,
  type LogView,
  listFiles,
  type FileLimits,
  type LogSource,
} from './reader';
import { type RunFiles, findRunFolder } from '../../run-files';
import type { LogState } from './run-logs';

export interface FollowedLogOptions {
  /** Rejects when the log no longer exists. */
  readonly readState: () => Promise<LogState>;
  readonly indexes: LogIndexes;
  readonly runFiles: Pick<RunFiles, 'view' | 'settleMs'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called after the log, or the known state of it, has changed. */
  readonly onChange: () => void;
}

export interface FollowedPart extends LogLines {
  /** Whether no further lines follow. */
  readonly isEnd: boolean;
}

const linesPerPart = 1000;
const sharedParts = 8;

/** One log for all its followers: it is checked once for all, and read once for all that are at the same line. */
export class FollowedLog {
  readonly #options: FollowedLogOptions;
  readonly #sizes = new LogSizes();
  readonly #parts = new LRUCache<string, Promise<FollowedPart>>({ max: sharedParts });
  #state: LogState | undefined;
  #isStale = true;
  #failure: AppError | undefined;
  #isEnd = false;
  #version = 0;
  #looking: Promise<void> | undefined;

  constructor(options: FollowedLogOptions) {
    this.#options = options;
  }

  /** Grows with each change. */
  get version(): number {
    return this.#version;
  }

  /** Counts how often the log became shorter. */
  get cuts(): number {
    return this.#sizes.cuts;
  }

  /** The reason why the log can no longer be read. */
  get failure(): AppError | undefined {
    return this.#failure;
  }

  /** The run has changed, so its state is read again. */
  expire(): void {
    this.#isStale = true;
  }

  /** Checks whether the log has changed, never twice at a time. Rejects when it cannot be read at this time or any more. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce()
      .catch((error: unknown) => {
        this.#isStale = true;
        if (isAppError(error) && error.code === 'not_found') {
          this.#failure = error;
          this.#change();
        }
        throw error;
      })
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  findStart(range: LinesRange, signal: AbortSignal): Promise<LinePosition> {
    return this.#withView((view) =>
      this.#options.indexes.withIndex(view, (index) => findStart(view, index, range, signal)),
    );
  }

  /** Returns the next lines from the start of a line; until the end of the log, only complete ones. */
  readFrom(from: LinePosition): Promise<FollowedPart> {
    const key = `${from.line}.${from.byte}`;
    const part = this.#parts.get(key) ?? this.#readPart(from);
    this.#parts.set(key, part);
    return part;
  }

  /**
   * Finds the first line that a cut has changed: the second last one, which reports the cut. Interleaved streams may
   * differ anywhere.
   */
  findCut(): Promise<LinePosition> {
    return this.#withView(async (view) => {
      const { size } = view.bytes;
      if (this.#state?.source.kind === 'both' || size === 0) return { line: 1, byte: 0 };
      return this.#options.indexes.withIndex(view, async (index) => {
        const last = await findStart(view, index, { byte: size - 1 });
        return findStart(view, index, { byte: Math.max(0, last.byte - 1) });
      });
    });
  }

  async #lookOnce(): Promise<void> {
    if (this.#isStale || this.#state === undefined) {
      this.#isStale = false;
      this.#state = await this.#options.readState();
    }
    const { source, endedAt } = this.#state;
    const hasChanged = await this.#sizes.look(this.#options.runFiles, source);
    const settled = source.kind === 'run' ? this.#options.runFiles.settleMs : 0;
    const isEnd = endedAt !== undefined && this.#options.clock.now().getTime() - endedAt.getTime() >= settled;
    if (!hasChanged && isEnd === this.#isEnd) return;
    this.#isEnd = isEnd;
    this.#change();
  }

  #change(): void {
    this.#version += 1;
    this.#parts.clear();
    this.#options.onChange();
  }

  #readPart(from: LinePosition): Promise<FollowedPart> {
    const isEnd = this.#isEnd;
    return this.#withView((view) =>
      this.#options.indexes.withIndex(view, async (index) => {
        const part = { from, limit: linesPerPart, includesIncomplete: isEnd };
        const lines = await readLinesFrom(view, index, part);
        return { ...lines, isEnd: isEnd && lines.next.byte >= view.bytes.size };
      }),
    );
  }

  async #withView<T>(use: (view: LogView) => Promise<T>): Promise<T> {
    if (this.#state === undefined) throw new Error('The log was not looked at.');
    const view = await openLogView(this.#options.runFiles, this.#state.source, this.#sizes.limits);
    try {
      return await use(view);
    } finally {
      await view.close();
    }
  }
}

/** Compares the sizes of the files of a log between two polls. */
class LogSizes {
  readonly #limits = new Map<string, number>();
  #known = new Map<string, number>();
  #cuts = 0;

  /** Counts how often a file became shorter. */
  get cuts(): number {
    return this.#cuts;
  }

  /** A file that was cut ends there: further output of its step is cut off again. */
  get limits(): FileLimits {
    return this.#limits;
  }

  /** Returns whether a file has changed since the last poll. */
  async look(runFiles: Pick<RunFiles, 'view'>, source: LogSource): Promise<boolean> {
    const files = listFiles(source);
    const folder = findRunFolder(files.find((file) => file !== '') ?? '');
    const view = await runFiles.view(folder);
    const sizeOf = (file: string) => (file === '' ? 0 : view.sizeOf(path.relative(folder, file)));
    const found = new Map(await Promise.all(files.map(async (file) => [file, await sizeOf(file)] as const)));
    const known = this.#known;
    this.#known = found;
    let isCut = false;
    for (const [file, size] of found) {
      if (size >= (this.#limits.get(file) ?? known.get(file) ?? 0)) continue;
      this.#limits.set(file, size);
      isCut = true;
    }
    if (isCut) this.#cuts += 1;
    return [...found].some(([file, size]) => known.get(file) !== size);
  }
}
