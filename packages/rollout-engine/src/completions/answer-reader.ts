import type { OutputEvent, OutputParser, StopMatcher } from '@weir/rollout-core';
import type { TokenPiece } from '../engine/port/inference-engine';
import type { Tokenizer } from '../tokenizer/tokenizer';
import { mergeEvents } from './merge-events';

export interface AnswerReaderOptions {
  readonly tokenizer: Tokenizer;
  readonly parser: OutputParser;
  readonly stops: StopMatcher;
  /** The control tokens that the parser looks for; others have no text. */
  readonly markerIds: ReadonlySet<number>;
  /** Tokens that end an answer; they have no text. */
  readonly endIds: ReadonlySet<number>;
  /** Whether reasoning tokens are counted, which requires reading tokens one by one. */
  readonly countsReasoning: boolean;
  /** Whether the answer ends with its first call. */
  readonly endsWithCall: boolean;
}

/** Makes events of the tokens of one answer as they come. */
export interface AnswerReader {
  take(piece: TokenPiece): readonly OutputEvent[];
  end(): readonly OutputEvent[];
  /** Whether the answer is complete: a stop string occurred, or the only call that was allowed. */
  readonly isOver: boolean;
  readonly stopText: string | undefined;
  readonly reasoningTokens: number;
}

export function createAnswerReader(options: AnswerReaderOptions): AnswerReader {
  return new ReadAnswer(options);
}

class ReadAnswer implements AnswerReader {
  readonly #options: AnswerReaderOptions;
  readonly #decoder;
  #isOver = false;
  #stopText: string | undefined;
  #isThinking = false;
  #reasoningTokens = 0;

  constructor(options: AnswerReaderOptions) {
    this.#options = options;
    this.#decoder = options.tokenizer.createDecoder({ showsControl: (id) => options.markerIds.has(id) });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get stopText(): string | undefined {
    return this.#stopText;
  }

  get reasoningTokens(): number {
    return this.#reasoningTokens;
  }

  take({ tokens: { ids } }: TokenPiece): readonly OutputEvent[] {
    if (!this.#options.countsReasoning || this.#isOver) return this.#read(ids);
    const events: OutputEvent[] = [];
    for (let at = 0; at < ids.length; at += 1) {
      const made = this.#read(ids.subarray(at, at + 1));
      events.push(...made);
      const last = made.at(-1);
      if (last !== undefined) this.#isThinking = last.kind === 'reasoning';
      this.#reasoningTokens += Number(this.#isThinking);
    }
    return mergeEvents(events);
  }

  end(): readonly OutputEvent[] {
    if (this.#isOver) return this.#options.parser.end();
    const rest = this.#cut(this.#decoder.end()) + this.#options.stops.end();
    return mergeEvents([...this.#parse(rest), ...this.#options.parser.end()]);
  }

  #read(ids: Int32Array): readonly OutputEvent[] {
    // Tokens that the engine sampled after the end are recorded, but are no part of the answer.
    if (this.#isOver) return [];
    const { endIds } = this.#options;
    const spoken = ids.some((id) => endIds.has(id)) ? ids.filter((id) => !endIds.has(id)) : ids;
    return this.#parse(this.#cut(this.#decoder.push(spoken)));
  }

  #cut(text: string): string {
    const match = this.#options.stops.push(text);
    if (match.stop !== undefined) {
      this.#stopText = match.stop;
      this.#isOver = true;
    }
    return match.text;
  }

  #parse(text: string): readonly OutputEvent[] {
    const events = text === '' ? [] : this.#options.parser.push(text);
    const end = this.#options.endsWithCall ? events.findIndex(({ kind }) => kind === 'call_ended') : -1;
    if (end < 0) return events;
    this.#isOver = true;
    return events.slice(0, end + 1);
  }
}
