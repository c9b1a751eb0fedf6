import { collectPathIds, type Interaction, type SampledTokens, type TrainingEntry } from '@weir/rollout-core';
import type { ExportedInteraction, ExportRequest, WireTensor } from '@weir/rollout-contract';
import { createTensor, tensorToJson, type Tensor } from '@weir/tensor-dict';
import { toChatMessage, toChatCompletion } from '@weir/rollout-engine';

/** A tensor in the form of trainers in Python. */
function wireTensor(tensor: Tensor): WireTensor {
  const { data, dtype, shape } = tensorToJson(tensor);
  return { type: 'tensor', data, shape: [...shape], dtype: `torch.${dtype}` };
}

export function wireEntry(
  entry: TrainingEntry,
  interaction: Interaction,
  options: {
    readonly includeMessages: boolean;
    readonly ownReward: number | null;
    readonly modelResponse: ExportRequest['model_response'];
  },
): ExportedInteraction {
  const tensors = Object.entries(entry.dict).map(([name, tensor]) => [name, wireTensor(tensor)] as const);
  return {
    interaction_id: entry.id,
    parent_id: interaction.parent?.id ?? null,
    reward: entry.reward,
    original_reward: options.ownReward,
    tensor_dict: Object.fromEntries(tensors),
    ...(options.includeMessages ? toConversation(interaction) : {}),
    model_response: {
      input_tokens: interaction.pathTokens - interaction.sampled.ids.length,
      output_tokens: interaction.sampled.ids.length,
      stop_reason: interaction.finishReason,
      versions: versionRuns(interaction.sampled),
      ...(options.modelResponse === 'counts' ? {} : responseTokens(interaction, options.modelResponse)),
    },
  };
}

/** The tokens of one call, bit by bit: as numbers every float32 is written with all the digits that it needs. */
function responseTokens(interaction: Interaction, form: 'arrays' | 'binary') {
  const { ids, logprobs, versions } = interaction.sampled;
  const input = collectPathIds(interaction).subarray(0, interaction.pathTokens - ids.length);
  const integers = (data: Int32Array) =>
    form === 'arrays' ? [...data] : wireTensor(createTensor('int32', [data.length], data));
  return {
    input_ids: integers(input),
    output_ids: integers(ids),
    output_logprobs:
      form === 'arrays' ? [...logprobs] : wireTensor(createTensor('float32', [logprobs.length], logprobs)),
    output_versions: integers(versions),
  };
}

/** Uses the form of the chat protocol for calls of every protocol. */
function toConversation({ id, createdAt, model, messages, output, finishReason, usage }: Interaction) {
  const head = { id, created: Math.floor(createdAt.getTime() / 1000), model };
  return {
    messages: messages.map((message) => ({ ...toChatMessage(message) })),
    output_message_list: [{ ...toChatMessage(output) }],
    completion: { ...toChatCompletion(head, { output, finishReason, usage }, null) },
  };
}

/** Versions with the number of consecutive tokens of each. */
function versionRuns({ versions }: SampledTokens): [number, number][] {
  const runs: [number, number][] = [];
  for (const version of versions) {
    const last = runs.at(-1);
    if (last?.[0] === version) last[1] += 1;
    else runs.push([version, 1]);
  }
  return runs;
}
