import type { LogLine, LogPart, LogPlace, LogSource } from './log-source';

const blockLines = 1000;
const maxBlocks = 50;
/** Limits the kept texts, because long lines make blocks large. */
const maxCharacters = 12_000_000;
/** This many lines beyond the view are read. */
const marginLines = 200;
/** A person who drags through a log does not need all of it. */
const settleMs = 60;
/** The number of lines that are read first, and at the end. */
export const openingLines = 300;

/** The end of a step may be known before its last lines, especially where logs are in an object store. */
const lastLinesMs = 6_000;

/** Limits the requests for the number of lines. */
const maxCounts = 5;

interface Block {
  readonly lines: Map<number, LogLine>;
  characters: number;
}

export interface LogState {
  readonly totalLines: number;
  readonly isEstimate: boolean;
  readonly totalBytes: number;
  /** The number of attempts that wrote the whole log. */
  readonly attempts: number;
  /** Whether anything was read yet. */
  readonly isOpen: boolean;
  /** The reason why the last request failed; the next successful one removes it. */
  readonly error: unknown;
  /** The output was dropped after this many bytes. */
  readonly limitBytes: number | undefined;
  /** Grows with each change. */
  readonly version: number;
}

/** The state before anything was read. */
export const closedLog: LogState = {
  totalLines: 0,
  isEstimate: false,
  totalBytes: 0,
  attempts: 1,
  isOpen: false,
  error: undefined,
  limitBytes: undefined,
  version: 0,
};

const limitNote = /^\[Log limit: output after (\d+) bytes was dropped[^\n]*\]$/;

/** Holds the lines around the view of a log of any size; other lines are read when they come into view, and dropped later. */
export class LogWindow {
  readonly #source: LogSource;
  /** The blocks by their position, with the most recently used ones at the end. */
  readonly #blocks = new Map<number, Block>();
  readonly #listeners = new Set<() => void>();
  #state = closedLog;
  #opening: LogPlace = { line: 1 };
  #view = { first: 1, last: 1 };
  #request: { readonly controller: AbortController; readonly line: number } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #closed = new AbortController();

  constructor(source: LogSource) {
    this.#source = source;
  }

  readonly getState = (): LogState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the line with this number, if it was read. */
  line(number: number): LogLine | undefined {
    return this.#blocks.get(blockOf(number))?.lines.get(number);
  }

  /** Returns the attempt that begins with this line, as far as the lines before it were read. */
  attemptAt(number: number): number | undefined {
    const attempt = this.line(number)?.attempt;
    const isFirst = number === 1 || (this.line(number - 1) !== undefined && this.line(number - 1)?.attempt !== attempt);
    return isFirst ? attempt : undefined;
  }

  /** Reads the first lines that are shown, and then the number of lines. */
  async open(place: LogPlace): Promise<void> {
    this.#opening = place;
    await this.#read(place, openingLines, this.#closed.signal);
    await this.#count();
  }

  /** Reads the missing lines around these. */
  show(first: number, last: number): void {
    const isNear = first <= this.#view.last && last >= this.#view.first;
    this.#view = { first, last };
    if (this.#request !== undefined && !this.#isWanted(this.#request.line)) {
      this.#request.controller.abort();
      this.#request = undefined;
    }
    clearTimeout(this.#timer);
    if (isNear) this.#readMissing();
    else this.#timer = setTimeout(() => this.#readMissing(), settleMs);
  }

  /** Follows the output, until the returned function is called and the last output was read. */
  follow(): () => void {
    const stop = this.#source.follow(Math.max(1, this.#state.totalLines), {
      onLines: (part) => this.#take(part),
      onCut: (line) => this.#cut(line),
    });
    const { signal } = this.#closed;
    signal.addEventListener('abort', stop);
    return () => {
      const settling = setTimeout(stop, lastLinesMs);
      signal.addEventListener('abort', () => clearTimeout(settling));
    };
  }

  /** Tries again after a failure. */
  retry(): void {
    this.#change({ error: undefined });
    if (this.#state.isOpen) this.#readMissing();
    else void this.open(this.#opening);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#request?.controller.abort();
    this.#closed.abort();
  }

  /** Counts the lines, which takes seconds for a log of gigabytes; each request continues where the last one has stopped. */
  async #count(): Promise<void> {
    const { signal } = this.#closed;
    for (let attempt = 0; attempt < maxCounts && this.#state.isEstimate && !signal.aborted; attempt++) {
      try {
        this.#take(await this.#source.read({ tail: 1 }, 1, signal));
      } catch {
        // An estimate is enough for reading.
      }
    }
  }

  #isWanted(line: number): boolean {
    return line >= this.#view.first - marginLines && line <= this.#view.last + marginLines;
  }

  #readMissing(): void {
    if (this.#request !== undefined || this.#state.error !== undefined || this.#closed.signal.aborted) return;
    const line = this.#firstMissing();
    if (line === undefined) return;
    const request = { controller: new AbortController(), line };
    this.#request = request;
    const limit = blockLines - ((line - 1) % blockLines);
    void this.#read({ line }, limit, request.controller.signal).then(() => {
      if (this.#request !== request) return;
      this.#request = undefined;
      this.#readMissing();
    });
  }

  /** Lines in view come first, then those around it. */
  #firstMissing(): number | undefined {
    const { first, last } = this.#view;
    return this.#missingIn(first, last) ?? this.#missingIn(last + 1, last + marginLines) ?? this.#missingBefore(first);
  }

  #missingIn(from: number, to: number): number | undefined {
    for (let number = Math.max(1, from); number <= Math.min(to, this.#state.totalLines); number++)
      if (this.line(number) === undefined) return number;
    return undefined;
  }

  #missingBefore(line: number): number | undefined {
    return this.#missingIn(Math.max(1, line - marginLines), line - 1);
  }

  async #read(place: LogPlace, limit: number, signal: AbortSignal): Promise<void> {
    try {
      const part = await this.#source.read(place, limit, signal);
      if (!signal.aborted) this.#take(part, 'line' in place ? place.line : undefined);
    } catch (error) {
      if (!signal.aborted) this.#change({ error });
    }
  }

  #take(part: LogPart, from?: number): void {
    const { totalBytes, isEstimate } = part;
    for (const line of part.lines) this.#keep(line);
    this.#evict();
    // An estimate may count lines that do not exist.
    const isBeyond = from !== undefined && part.lines.length === 0;
    const totalLines = isBeyond ? Math.min(part.totalLines, from - 1) : part.totalLines;
    const [, limit] = limitNote.exec(this.line(totalLines)?.text ?? '') ?? [];
    const limitBytes = limit === undefined ? this.#state.limitBytes : Number(limit);
    const known = this.#state;
    // Answers may arrive in another order, and an estimate knows less than a number.
    const isOlder = totalBytes < known.totalBytes;
    const knowsLess = isEstimate && !known.isEstimate && known.isOpen && totalBytes === known.totalBytes;
    const size = isOlder || knowsLess ? {} : { totalLines, isEstimate, totalBytes };
    const attempts = Math.max(known.attempts, part.attempts);
    this.#change({ ...size, attempts, limitBytes, isOpen: true, error: undefined });
  }

  #keep(line: LogLine): void {
    const place = blockOf(line.number);
    const block = this.#blocks.get(place) ?? { lines: new Map<number, LogLine>(), characters: 0 };
    block.characters += line.text.length - (block.lines.get(line.number)?.text.length ?? 0);
    block.lines.set(line.number, line);
    this.#blocks.delete(place);
    this.#blocks.set(place, block);
  }

  #cut(line: number): void {
    for (const [place, block] of this.#blocks) {
      if (place > blockOf(line)) this.#blocks.delete(place);
      if (place === blockOf(line))
        for (const number of block.lines.keys()) if (number >= line) block.lines.delete(number);
    }
    this.#change({ totalLines: line - 1, totalBytes: 0 });
  }

  #evict(): void {
    const size = (): number => [...this.#blocks.values()].reduce((sum, { characters }) => sum + characters, 0);
    for (const place of [...this.#blocks.keys()]) {
      if (this.#blocks.size <= maxBlocks && size() <= maxCharacters) return;
      // A needed block would be read again at once.
      if (!this.#isBlockWanted(place)) this.#blocks.delete(place);
    }
  }

  #isBlockWanted(place: number): boolean {
    return place >= blockOf(this.#view.first - marginLines) && place <= blockOf(this.#view.last + marginLines);
  }

  #change(changes: Partial<LogState>): void {
    this.#state = { ...this.#state, ...changes, version: this.#state.version + 1 };
    for (const listener of this.#listeners) listener();
  }
}

function blockOf(number: number): number {
  return Math.floor((number - 1) / blockLines);
}
