import type { RowsResponse } from '@weir/rollout-contract';
import { trainedSpans, type ExportPlan } from '@weir/rollout-core';
import type { Session } from '../sessions';

/** The rows of a planned export, and what they leave out. */
export function presentRows(session: Session, { rows, leftOut, report }: ExportPlan): RowsResponse {
  return {
    session_id: session.id,
    revision: session.status().rewardRevision,
    rows: rows.map((row) => {
      const spans = trainedSpans(row);
      return {
        interaction_id: row.interaction.id,
        reward: row.reward.reward,
        original_reward: session.cache.rewards.get(row.interaction.id)?.reward ?? null,
        tokens: row.interaction.pathTokens,
        trained_tokens: spans.reduce((sum, { from, to }) => sum + to - from, 0),
        spans: spans.map(({ interaction, from, to }) => ({ interaction_id: interaction.id, from, to })),
      };
    }),
    left_out: leftOut.map(({ interaction, reason }) => ({
      interaction_id: interaction.id,
      reason,
      sampled_tokens: interaction.sampled.ids.length,
    })),
    report: { ...report },
  };
}
