import type { SessionDetail, SessionSummary } from '@weir/rollout-contract';
import type { Session } from './session';

export function presentSession(session: Session): SessionSummary {
  const status = session.status();
  return {
    session_id: session.id,
    task_id: session.taskId,
    // A session is removed only after its export.
    state: status.state === 'removed' ? 'exported' : status.state,
    ...(status.endReason === undefined ? {} : { end_reason: status.endReason }),
    interaction_count: session.cache.size,
    turns_under_way: status.runningCompletions,
    bytes: status.bytes,
    sampled_tokens: status.sampledTokens,
    reward_revision: status.rewardRevision,
    created_at: new Date(session.createdAtMs).toISOString(),
    last_used_at: new Date(status.lastUsedAtMs).toISOString(),
  };
}

export function presentSessionDetail(session: Session): SessionDetail {
  const { cache } = session;
  return {
    ...presentSession(session),
    interactions: [...cache].map((interaction) => ({
      interaction_id: interaction.id,
      parent_id: interaction.parent?.id ?? null,
      reward: cache.rewards.get(interaction.id)?.reward ?? null,
      prompt_tokens: interaction.pathTokens - interaction.sampled.ids.length,
      sampled_tokens: interaction.sampled.ids.length,
    })),
    mismatches: { ...cache.mismatches() },
  };
}
