import type { MessagePart } from '../conversation/message-key';
import type { MessageRole } from '../conversation/message';

/** Where a request left a conversation that is known. Never holds content. */
export interface Mismatch {
  /** Number of the first message that differs, from 0. */
  readonly index: number;
  /** Role of that message in the conversation that is known. */
  readonly role: MessageRole;
  /** What is different: a part of the message, or `context` for the tools and template arguments. */
  readonly part: MessagePart | 'context';
}

export interface MismatchReport {
  /** Requests that left a known conversation. */
  readonly total: number;
  /** How many of them for each role and part, as `assistant.content`. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first 16. */
  readonly first: readonly Mismatch[];
}

const maxFirst = 16;

/** Counts the mismatches of a session in bounded space: there are as many counts as roles times parts. */
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
