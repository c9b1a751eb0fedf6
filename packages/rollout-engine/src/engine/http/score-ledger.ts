import { noId, noLogprob, type TokenScores } from '@weir/rollout-core';
import { engineFailed } from './engine-failure';
import type { ScoreRequest } from '../port/token-scorer';
import type { TokenChoice } from '../port/inference-engine';

/** Rounding of 16-bit logits gives values up to this; they count as 0. */
const positiveTolerance = 1e-3;

/** Collects the scores of one answer and checks that they are those of the tokens that were sent. */
export class ScoreLedger {
  readonly #request: ScoreRequest;
  readonly #logprobs: Float32Array;
  readonly #topIds: Int32Array;
  readonly #topLogprobs: Float32Array;
  #count = 0;

  constructor(request: ScoreRequest) {
    this.#request = request;
    const tokens = request.ids.length - request.from;
    this.#logprobs = new Float32Array(tokens);
    this.#topIds = new Int32Array(tokens * request.topLogprobs).fill(noId);
    this.#topLogprobs = new Float32Array(tokens * request.topLogprobs).fill(noLogprob);
  }

  /** The scores of the next token; `id` is the one that the engine says it has scored. */
  push(id: unknown, logprob: unknown, top: readonly TokenChoice[]): void {
    const { ids, from, topLogprobs } = this.#request;
    const at = this.#count;
    if (id !== ids[from + at]) throw engineFailed('scores_differ');
    if (typeof logprob !== 'number' || !Number.isFinite(logprob) || logprob > positiveTolerance) {
      throw engineFailed('scores_missing');
    }
    if (topLogprobs > 0 && top.length === 0) throw engineFailed('scores_missing');
    this.#logprobs[at] = Math.min(0, Math.max(noLogprob, logprob));
    top.slice(0, topLogprobs).forEach((choice, rank) => {
      this.#topIds[at * topLogprobs + rank] = choice.id;
      this.#topLogprobs[at * topLogprobs + rank] = Math.max(noLogprob, choice.logprob);
    });
    this.#count += 1;
  }

  finish(): TokenScores {
    if (this.#count !== this.#logprobs.length) throw engineFailed('scores_missing');
    const { topLogprobs: count } = this.#request;
    const top = { count, ids: this.#topIds, logprobs: this.#topLogprobs };
    return { logprobs: this.#logprobs, ...(count === 0 ? {} : { top }) };
  }
}
