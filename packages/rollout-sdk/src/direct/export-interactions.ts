import { exportTrajectories, type InteractionCache, type Message } from '@weir/rollout-core';
import type { TrainingTensorDict } from '@weir/tensor-dict';

export type ExportStyle = 'individual' | 'concat';

/** One interaction, or with `concat` one whole conversation, as training data. */
export interface DirectInteraction {
  readonly id: string;
  readonly parentId: string | undefined;
  /** After discounting. */
  readonly reward: number;
  /** As it was set; `undefined` where none is. */
  readonly originalReward: number | undefined;
  readonly messages: readonly Message[];
  readonly output: Message;
  readonly tensors: TrainingTensorDict;
}

/** By id, in order of completion. */
export function exportInteractions(
  cache: InteractionCache,
  style: ExportStyle,
  discount: number,
): ReadonlyMap<string, DirectInteraction> {
  const { entries } = exportTrajectories(cache, { style, discount });
  const interactions = entries.flatMap(({ id, reward, dict }): DirectInteraction[] => {
    const interaction = cache.get(id);
    if (interaction === undefined) return [];
    const { parent, messages, output } = interaction;
    const originalReward = cache.rewards.get(id)?.reward;
    return [{ id, parentId: parent?.id, reward, originalReward, messages, output, tensors: dict }];
  });
  return new Map(interactions.map((interaction) => [interaction.id, interaction]));
}
