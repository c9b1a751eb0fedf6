import { noId, noLogprob, type RoutedExperts, type SampledTokens, type TopTokens } from '@weir/rollout-core';
import { MaskBuffer } from './mask-buffer';
import type { TokenChoice, TokenPiece } from '../engine/port/inference-engine';

/** Collects the pieces of an answer. Ids, log-probabilities and versions are not copied before the end. */
export interface TokenCollector {
  readonly count: number;
  add(piece: TokenPiece): void;
  /** Whether a token came without any of the likeliest tokens that are to be kept. */
  readonly lacksTop: boolean;
  /** Why the sampling masks that are to be kept are none. */
  readonly maskDoubt: string | undefined;
  /** Those of the first piece that had them. */
  readonly promptLogprobs: Float32Array | undefined;
  /** The experts of the pieces: rows from the first of them without a gap. */
  readonly experts: RoutedExperts | undefined;
  /** `corrected`, where given, replaces the versions of the pieces. */
  toSampledTokens(corrected: Int32Array | undefined): SampledTokens;
}

export interface TokenCollectorOptions {
  /** How many of the likeliest tokens are kept at each position. Default 0. */
  readonly topCount?: number;
  /** Whether sampling masks are kept. Default false. */
  readonly keepsMask?: boolean;
}

export function createTokenCollector({ topCount = 0, keepsMask = false }: TokenCollectorOptions = {}): TokenCollector {
  const pieces: SampledTokens[] = [];
  const top = topCount === 0 ? undefined : new TopBuffer(topCount);
  const mask = keepsMask ? new MaskBuffer() : undefined;
  let count = 0;
  let experts: RoutedExperts | undefined;
  let promptLogprobs: Float32Array | undefined;
  return {
    get promptLogprobs() {
      return promptLogprobs;
    },
    get experts() {
      return experts;
    },
    get count() {
      return count;
    },
    get lacksTop() {
      return top?.isIncomplete === true;
    },
    get maskDoubt() {
      return mask?.doubt;
    },
    add: ({ tokens, masks, top: choices, experts: more, promptLogprobs: prompt }) => {
      promptLogprobs ??= prompt;
      if (more !== undefined) experts = joinExperts(experts, more);
      pieces.push(tokens);
      count += tokens.ids.length;
      for (let at = 0; top !== undefined && at < tokens.ids.length; at += 1) top.push(choices?.[at] ?? []);
      for (let at = 0; mask !== undefined && at < tokens.ids.length; at += 1)
        mask.push(tokens.ids[at] ?? -1, masks?.[at]);
    },
    toSampledTokens: (corrected) => {
      const kept = {
        ...(top === undefined ? {} : { top: top.toTokens() }),
        ...(mask === undefined ? {} : { mask: mask.toMask() }),
      };
      const [only] = pieces;
      if (only !== undefined && pieces.length === 1)
        return { ...only, versions: corrected?.slice(0, count) ?? only.versions, ...kept };
      const ids = new Int32Array(count);
      const logprobs = new Float32Array(count);
      const versions = new Int32Array(count);
      let at = 0;
      for (const piece of pieces) {
        ids.set(piece.ids, at);
        logprobs.set(piece.logprobs, at);
        versions.set(piece.versions, at);
        at += piece.ids.length;
      }
      return { ids, logprobs, versions: corrected?.slice(0, count) ?? versions, ...kept };
    },
  };
}

/** A later segment of a generation reads some tokens again; the choices of the first reading stay. */
function joinExperts(before: RoutedExperts | undefined, more: RoutedExperts): RoutedExperts {
  if (before === undefined) return more;
  const width = before.layers * before.perToken;
  const end = before.from + before.ids.length / width;
  // Rows after a gap are of no use: the end of the answer is then missing.
  if (more.from > end) return before;
  const added = more.ids.subarray((end - more.from) * width);
  const ids = new Int16Array(before.ids.length + added.length);
  ids.set(before.ids);
  ids.set(added, before.ids.length);
  return { ...before, ids };
}

/** The likeliest tokens of an answer as numbers: no object stays in memory for a token. */
class TopBuffer {
  isIncomplete = false;
  readonly #count: number;
  #ids: Int32Array;
  #logprobs: Float32Array;
  #length = 0;

  constructor(count: number) {
    this.#count = count;
    this.#ids = new Int32Array(count * 64).fill(noId);
    this.#logprobs = new Float32Array(count * 64).fill(noLogprob);
  }

  push(choices: readonly TokenChoice[]): void {
    if (this.#length === this.#ids.length) this.#grow();
    this.isIncomplete ||= choices.length === 0;
    for (let at = 0; at < Math.min(choices.length, this.#count); at += 1) {
      const { id, logprob } = choices[at] ?? { id: noId, logprob: noLogprob };
      this.#ids[this.#length + at] = id;
      // An engine reports tokens that a cut-off excluded with minus infinity, which no trainer accepts.
      this.#logprobs[this.#length + at] = Math.max(logprob, noLogprob);
    }
    this.#length += this.#count;
  }

  toTokens(): TopTokens {
    const length = this.#length;
    return { count: this.#count, ids: this.#ids.slice(0, length), logprobs: this.#logprobs.slice(0, length) };
  }

  #grow(): void {
    const [ids, logprobs] = [this.#ids, this.#logprobs];
    this.#ids = new Int32Array(ids.length * 2).fill(noId);
    this.#logprobs = new Float32Array(ids.length * 2).fill(noLogprob);
    this.#ids.set(ids);
    this.#logprobs.set(logprobs);
  }
}
