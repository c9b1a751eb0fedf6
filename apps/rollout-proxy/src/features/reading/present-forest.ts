import type { ForestNode, ForestResponse } from '@weir/rollout-contract';
import {
  discountRewards,
  findRetryOrphans,
  type DiscountRule,
  type Interaction,
  type Message,
} from '@weir/rollout-core';
import type { Digests, Session } from '../sessions';

export interface ForestChoices {
  readonly discount: number;
  readonly rule: DiscountRule;
  readonly dropRetryOrphans: boolean;
}

const shownText = 160;

/** The interactions of a session with their rewards, discounted by these choices. */
export function presentForest(session: Session, choices: ForestChoices, digests: Digests): ForestResponse {
  const { cache } = session;
  return {
    session_id: session.id,
    revision: session.status().rewardRevision,
    nodes: createNodes(session, choices, digests),
    mismatches: { ...cache.mismatches() },
  };
}

function createNodes(session: Session, choices: ForestChoices, digests: Digests): ForestNode[] {
  const { cache } = session;
  const { orphans, unresolved } = findRetryOrphans(cache);
  const retries = new Map<Interaction, 'orphan' | 'unresolved'>([
    ...unresolved.map((one) => [one, 'unresolved'] as const),
    ...orphans.map((one) => [one, 'orphan'] as const),
  ]);
  const without = new Set(choices.dropRetryOrphans ? orphans.map(({ id }) => id) : []);
  const rewards = discountRewards(cache, { ...choices, without });
  return [...cache].map((interaction) => ({
    ...presentNode(session, interaction, digests),
    discounted_reward: rewards.get(interaction.id)?.reward ?? null,
    retry: retries.get(interaction) ?? null,
  }));
}

/** A node without what depends on others: its own reward, not discounted, and no retry. */
export function presentNode(session: Session, interaction: Interaction, digests: Digests): ForestNode {
  const { continuity, sampled, pathTokens, output, newMessages } = interaction;
  const { meanLogprob, tokensByVersion } = digests.ofInteraction(interaction);
  const reward = session.cache.rewards.get(interaction.id)?.reward ?? null;
  const request = newMessages.at(-1);
  return {
    interaction_id: interaction.id,
    parent_id: interaction.parent?.id ?? null,
    index: interaction.index,
    continuity: continuity.kind,
    fork_reason: continuity.kind === 'forked' ? (continuity.reason ?? 'unknown') : null,
    reward,
    discounted_reward: reward,
    inherited_tokens: interaction.inheritedTokens,
    prompt_tokens: pathTokens - sampled.ids.length,
    sampled_tokens: sampled.ids.length,
    mean_logprob: meanLogprob ?? null,
    versions: [...tokensByVersion.keys()],
    finish_reason: interaction.finishReason,
    quarantine: interaction.quarantine ?? (session.damagedBytes > 0 ? 'journal_damaged' : null),
    retry: null,
    protocol: interaction.protocol,
    created_at: interaction.createdAt.toISOString(),
    completed_at: interaction.completedAt.toISOString(),
    request_role: request?.role ?? '',
    request_text: cut(request),
    answer_text: cut(output),
    tool_names: (output.toolCalls ?? []).map(({ name }) => name.slice(0, shownText)).slice(0, maxTools),
  };
}

const maxTools = 16;

function cut(message: Message | undefined): string {
  const text = (message?.content ?? '').slice(0, shownText * 2).replaceAll(/\s+/g, ' ');
  return text.trim().slice(0, shownText);
}
