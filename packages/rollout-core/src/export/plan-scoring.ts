import type { Interaction } from '../cache/interaction';
import type { InteractionCache } from '../cache/interaction-cache';
import { planRows, trainedSpans, type TrainedSpan } from './export-plan';

/** One sequence that a model scores. */
export interface ScoringTask {
  /** Its path is the sequence. */
  readonly interaction: Interaction;
  /** The calls whose sampled tokens get scores of this sequence, with their positions, in order. */
  readonly parts: readonly TrainedSpan[];
}

export interface ScoringChoices {
  readonly scorer: string;
  /** Calls that were scored with fewer of the likeliest tokens are scored again. */
  readonly topLogprobs: number;
  /** Whether calls with scores of that model are scored again. */
  readonly isRepeated: boolean;
}

/**
 * Plans the sequences that give every call of a session its scores: whole conversations, so that what calls have in
 * common is scored once. Calls in quarantine are left out. Linear in the segments of the paths.
 */
export function planScoring(cache: InteractionCache, choices: ScoringChoices): readonly ScoringTask[] {
  const { scorer, topLogprobs, isRepeated } = choices;
  const wanted = [...cache].filter(({ id, quarantine, sampled }) => {
    if (quarantine !== undefined || sampled.ids.length === 0) return false;
    const known = cache.scores.get(scorer, id);
    return isRepeated || known === undefined || (known.top?.count ?? 0) < topLogprobs;
  });
  return planRows(wanted, 'concat').map((row) => ({ interaction: row.interaction, parts: trainedSpans(row) }));
}
