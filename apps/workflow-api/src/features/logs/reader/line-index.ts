import type { LogBytes } from './log-bytes';

/** The position where a line begins. */
export interface LinePosition {
  /** Lines are counted from 1. */
  readonly line: number;
  readonly byte: number;
}

const linesPerOffset = 1000;
const chunkBytes = 256 * 1024;
const lineBreak = 0x0a;

/** Stores where every thousandth line of a growing log begins, for the part that was read. */
export class LineIndex {
  readonly #offsets: number[] = [0];
  #scannedBytes = 0;
  #breaks = 0;
  #endsWithBreak = true;

  get scannedBytes(): number {
    return this.#scannedBytes;
  }

  get offsetCount(): number {
    return this.#offsets.length;
  }

  /** Counts the lines of the scanned part, including a last one without line break. */
  get lineCount(): number {
    return this.#breaks + (this.#endsWithBreak ? 0 : 1);
  }

  /** Returns the nearest known position that is not after this line. */
  beforeLine(line: number): LinePosition {
    return this.#position(Math.min(Math.floor((line - 1) / linesPerOffset), this.#offsets.length - 1));
  }

  /** Returns the nearest known position that is not after this byte. */
  beforeByte(byte: number): LinePosition {
    let low = 0;
    for (let high = this.#offsets.length - 1; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#offsets[middle] ?? 0) <= byte) low = middle;
      else high = middle - 1;
    }
    return this.#position(low);
  }

  /** Continues until the scanned part includes this line and this byte, or the log ends. Concurrent calls are allowed. */
  async extend(
    log: LogBytes,
    { line = 0, byte = 0 }: Partial<LinePosition>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    while (this.#scannedBytes < log.size && (this.#breaks < line || this.#scannedBytes <= byte)) {
      signal?.throwIfAborted();
      const from = this.#scannedBytes;
      const chunk = await log.read(from, chunkBytes);
      if (chunk.length === 0) return;
      // Another call may have read the chunk meanwhile.
      if (from === this.#scannedBytes) this.#add(chunk);
    }
  }

  #position(index: number): LinePosition {
    return { line: index * linesPerOffset + 1, byte: this.#offsets[index] ?? 0 };
  }

  // A loop over bytes takes the same time for any lines; a search for each line break does not.
  #add(chunk: Buffer): void {
    let breaks = this.#breaks;
    for (let at = 0; at < chunk.length; at += 1) {
      if (chunk[at] !== lineBreak) continue;
      breaks += 1;
      if (breaks % linesPerOffset === 0) this.#offsets.push(this.#scannedBytes + at + 1);
    }
    this.#breaks = breaks;
    this.#scannedBytes += chunk.length;
    this.#endsWithBreak = chunk.at(-1) === lineBreak;
  }
}
