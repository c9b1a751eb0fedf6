import { AppError } from '@weir/foundation';
import { checkTop } from './interaction-record';
import type { Interaction } from './interaction';
import type { TopTokens } from '../sampled-tokens';

/** What another model thinks of the sampled tokens of a call. */
export interface TokenScores {
  /** Natural logarithm of the probability of each token; finite, at most 0. */
  readonly logprobs: Float32Array;
  /** The likeliest tokens of that model at each position, where they were asked for. */
  readonly top?: TopTokens;
}

/** Scores by the name of the model that gave them and the id of the call. */
export interface ScoreBook {
  get(scorer: string, interactionId: string): TokenScores | undefined;
  /** Names of models that scored any call, in the order of their first scores. */
  scorers(): readonly string[];
}

/** The scores of one session. */
export class SessionScores implements ScoreBook {
  readonly #byScorer = new Map<string, Map<string, TokenScores>>();

  get(scorer: string, interactionId: string): TokenScores | undefined {
    return this.#byScorer.get(scorer)?.get(interactionId);
  }

  scorers(): readonly string[] {
    return [...this.#byScorer.keys()];
  }

  /**
   * Stores scores, in place of earlier ones of that model, and returns by how many bytes the session grows. Fails with
   * `internal`, reason `scores_invalid`, for scores that are not those of the call's tokens.
   */
  set(scorer: string, { id, sampled }: Interaction, scores: TokenScores): number {
    const { logprobs, top } = scores;
    if (logprobs.length !== sampled.ids.length || !logprobs.every((value) => Number.isFinite(value) && value <= 0)) {
      throw new AppError('internal', 'Scores are not those of the tokens of the call.', { reason: 'scores_invalid' });
    }
    if (top !== undefined) checkTop(top, sampled.ids.length);
    const before = this.get(scorer, id);
    const known = this.#byScorer.get(scorer) ?? new Map<string, TokenScores>();
    known.set(id, scores);
    this.#byScorer.set(scorer, known);
    return bytesOf(scores) - (before === undefined ? 0 : bytesOf(before));
  }
}

const bytesOf = ({ logprobs, top }: TokenScores): number =>
  logprobs.byteLength + (top === undefined ? 0 : top.ids.byteLength + top.logprobs.byteLength);
