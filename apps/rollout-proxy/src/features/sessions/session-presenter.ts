import type { SessionDetail, SessionSummary } from '@weir/rollout-contract';
import type { Digests } from './digests';
import type { Session } from '../../session';

export function presentSession(session: Session, digests: Digests): SessionSummary {
  const status = session.status();
  const digest = digests.ofSession(session);
  const versions = [...digest.tokensByVersion.keys()];
  return {
    session_id: session.id,
    task_id: session.taskId,
    number: session.number,
    // A session is removed only after its export.
    state: status.state === 'removed' ? 'exported' : status.state,
    ...(status.endReason === undefined ? {} : { end_reason: status.endReason }),
    interaction_count: session.cache.size,
    turns_under_way: status.runningCompletions,
    bytes: status.bytes,
    sampled_tokens: status.sampledTokens,
    reward_revision: status.rewardRevision,
    reward: digest.reward ?? null,
    adapter: session.adapter ?? null,
    first_version: versions.length === 0 ? null : Math.min(...versions),
    last_version: versions.length === 0 ? null : Math.max(...versions),
    quarantined_count: digest.quarantinedCount,
    models: [...digest.models.values()],
    mismatch_count: session.cache.mismatches().total,
    last_finish_reason: digest.lastFinishReason ?? null,
    created_at: new Date(session.createdAtMs).toISOString(),
    last_used_at: new Date(status.lastUsedAtMs).toISOString(),
  };
}

export function presentSessionDetail(session: Session, digests: Digests): SessionDetail {
  const { cache } = session;
  return {
    ...presentSession(session, digests),
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
