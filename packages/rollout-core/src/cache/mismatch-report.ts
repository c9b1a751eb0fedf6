import type { MessagePart } from '../conversation/message-key';
import type { MessageRole } from '../conversation/message';

/** The place where a request differs from a known conversation. It never contains content. */
export interface Mismatch {
  /** Index of the first message that differs. */
  readonly index: number;
  /** Role of that message in the known conversation. */
  readonly role: MessageRole;
  /** The part of the message that differs, or `context` for the tools and template arguments. */
  readonly part: MessagePart | 'context';
}

export interface MismatchReport {
  /** Requests with a mismatch. */
  readonly total: number;
  /** The number of mismatches for each role and part, such as `assistant.content`. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first 16 mismatches. */
  readonly first: readonly Mismatch[];
}

const maxFirst = 16;

/** Counts the mismatches of a session in bounded space: roles times parts. */
export class MismatchLog {
  #total = 0;
  readonly #counts = new Map<string, number>();
  readonly #first: Mismatch[] = [];

  record(mismatch: Mismatch): void {
    const key = `${mismatch.role}.${mismatch.part}`;
    this.#total += 1;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    if (this.#first.length < maxFirst) this.#first.push(mismatch);
  }

  report(): MismatchReport {
    return { total: this.#total, counts: Object.fromEntries(this.#counts), first: [...this.#first] };
  }
}
