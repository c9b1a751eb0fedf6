import type { ConversationMessage, InteractionDetail } from '@weir/rollout-contract';
import { mergeContinuations, type Interaction, type Message } from '@weir/rollout-core';
import type { Digests, Session } from '../sessions';
import { presentNode } from './present-forest';

/** An interaction with its whole conversation. */
export function presentInteraction(session: Session, interaction: Interaction, digests: Digests): InteractionDetail {
  const context = session.cache.findContext(interaction.contextKey);
  const { provenance, usage, newMessages } = interaction;
  return {
    session_id: session.id,
    task_id: session.taskId,
    node: presentNode(session, interaction, digests),
    model: interaction.model,
    seed: interaction.seed ?? null,
    messages: mergeContinuations(interaction.messages).map(presentMessage),
    new_messages: newMessages.filter(({ continues }) => continues !== true).length,
    output: presentMessage(interaction.output),
    usage: {
      prompt_tokens: usage.promptTokens,
      cached_tokens: usage.cachedTokens,
      completion_tokens: usage.completionTokens,
      reasoning_tokens: usage.reasoningTokens,
    },
    tools: (context?.tools ?? []).map((tool) => ({ ...tool })),
    template_arguments: { ...context?.templateArguments },
    provenance: provenance === undefined ? null : { ...provenance },
  };
}

function presentMessage({ role, content, reasoning, toolCalls, toolCallId, name }: Message): ConversationMessage {
  return {
    role,
    content,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls.map((call) => ({ ...call })) }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
    ...(name === undefined ? {} : { name }),
  };
}
