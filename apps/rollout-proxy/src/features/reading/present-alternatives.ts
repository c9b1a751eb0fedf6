import type { AlternativesResponse, TokenAlternatives } from '@weir/rollout-contract';
import { noId, pathSegments, sampledFrom, type Interaction, type TopTokens } from '@weir/rollout-core';
import type { Session } from '../sessions';
import type { TokenTable } from './present-tokens';

export interface AlternativesWindow {
  /** The first position in the path. */
  readonly from: number;
  /** Maximum number of positions. */
  readonly limit: number;
  /** Maximum number of tokens of each position. */
  readonly count: number;
}

/** The likeliest tokens at some positions of the path of an interaction. Its time depends on the window alone. */
export function presentAlternatives(
  session: Session,
  interaction: Interaction,
  { table, window: { from, limit, count } }: { readonly table: TokenTable; readonly window: AlternativesWindow },
): AlternativesResponse {
  const to = Math.min(interaction.pathTokens, from + limit);
  const { scores } = session.cache;
  const positions: TokenAlternatives[] = [];
  for (const segment of pathSegments(interaction)) {
    const { id, sampled } = segment.interaction;
    const start = sampledFrom(segment);
    const others = scores.scorers().flatMap((scorer) => {
      const top = scores.get(scorer, id)?.top;
      return top === undefined ? [] : [{ scorer, top }];
    });
    if (sampled.top === undefined && others.length === 0) continue;
    for (let at = Math.max(from, start); at < Math.min(to, segment.to); at += 1) {
      const position = { index: at - start, sampled: sampled.ids[at - start] ?? noId, count };
      positions.push({
        at,
        ...presentTop(sampled.top, position),
        scores: others.map(({ scorer, top }) => ({ scorer, ...presentTop(top, position) })),
      });
    }
  }
  return {
    session_id: session.id,
    interaction_id: interaction.id,
    from: Math.min(from, to),
    to,
    positions,
    tokens: presentTable(positions, table),
  };
}

interface SampledPosition {
  /** Among the sampled tokens of the call. */
  readonly index: number;
  readonly sampled: number;
  readonly count: number;
}

function presentTop(
  top: TopTokens | undefined,
  { index, sampled, count }: SampledPosition,
): Pick<TokenAlternatives, 'rank' | 'likeliest'> {
  if (top === undefined) return { rank: null, likeliest: [] };
  const ids = top.ids.subarray(index * top.count, (index + 1) * top.count);
  const place = ids.indexOf(sampled);
  const likeliest = Array.from(ids.subarray(0, count), (id, entry) => ({
    id,
    logprob: top.logprobs[index * top.count + entry] ?? 0,
  }));
  return { rank: place === -1 ? null : place + 1, likeliest: likeliest.filter(({ id }) => id !== noId) };
}

function presentTable(positions: readonly TokenAlternatives[], table: TokenTable): AlternativesResponse['tokens'] {
  const ids = new Set<number>();
  for (const { likeliest, scores } of positions) {
    for (const list of [likeliest, ...scores.map((one) => one.likeliest)]) for (const { id } of list) ids.add(id);
  }
  return Array.from(ids, (id) => ({
    id,
    bytes: Buffer.from(table.tokenBytes(id)).toString('base64'),
    control: table.isControl(id),
  }));
}
