import type { AlternativesResponse } from '@weir/rollout-contract';
import type { TokenPath } from '../api/read-tokens';
import { tokenText } from './token-text';

/** A token that could have been sampled at a position, or was. */
export interface Alternative {
  readonly id: number;
  readonly text: string;
  readonly isSampled: boolean;
  /** Among those of the engine, from 1; `undefined` where it is not among them. */
  readonly rank: number | undefined;
  /** By the engine; `undefined` where it is not known. */
  readonly logprob: number | undefined;
  /** By other models in the order of their names. */
  readonly scores: readonly (number | undefined)[];
}

export interface AlternativeList {
  readonly scorers: readonly string[];
  readonly items: readonly Alternative[];
  /** Whether the engine's likeliest tokens are recorded, and the sampled one is not among them. */
  readonly isUnranked: boolean;
}

type Recorded = Pick<AlternativesResponse, 'positions' | 'tokens'>;

/**
 * The tokens that the engine found likeliest, then the sampled one if it is not among them, then those that only other
 * models found likely. `undefined` where none are recorded.
 */
export function listAlternatives(path: TokenPath, recorded: Recorded, at: number): AlternativeList | undefined {
  const position = recorded.positions.find((one) => one.at === at);
  if (position === undefined) return undefined;
  const sampled = path.ids[at] ?? -1;
  const own = new Map(position.likeliest.map(({ id, logprob }) => [id, logprob]));
  const others = position.scores.map(
    ({ scorer, likeliest }) =>
      [scorer, new Map(likeliest.map(({ id, logprob }) => [id, logprob])), path.scores.get(scorer)?.[at]] as const,
  );
  const bytes = new Map(recorded.tokens.map((token) => [token.id, token.bytes]));
  const ids = new Set([...own.keys(), sampled, ...others.flatMap(([, theirs]) => [...theirs.keys()])]);
  const ranks = new Map(position.likeliest.map(({ id }, index) => [id, index + 1]));
  return {
    scorers: others.map(([scorer]) => scorer),
    isUnranked: own.size > 0 && position.rank === null,
    items: Array.from(ids, (id) => {
      const isSampled = id === sampled;
      return {
        id,
        text: showText(isSampled ? path.bytesOf(at) : fromBase64(bytes.get(id) ?? ''), id),
        isSampled,
        rank: isSampled ? (position.rank ?? undefined) : ranks.get(id),
        logprob: isSampled ? path.logprobs[at] : own.get(id),
        scores: others.map(([, theirs, score]) => (isSampled ? score : theirs.get(id))),
      };
    }),
  };
}

/** On one line; a token without text by its id. */
const showText = (bytes: Uint8Array, id: number): string =>
  bytes.length === 0 ? `⟨${id}⟩` : tokenText(bytes).replaceAll('\n', '');

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
