import { exportTrajectories, type InteractionCache, type Message } from '@weir/rollout-core';
import type { TrainingTensorDict } from '@weir/tensor-dict';

export type ExportStyle = 'individual' | 'concat';

/** One interaction, or with `concat` one whole conversation, as training data. */
export interface DirectInteraction {
  readonly id: string;
  readonly parentId: string | undefined;
  /** The reward after discounting. */
  readonly reward: number;
  /** The reward as it was set; `undefined` if none was set. */
  readonly originalReward: number | undefined;
  readonly messages: readonly Message[];
  readonly output: Message;
  readonly tensors: TrainingTensorDict;
}

/** Interactions by id, in order of completion. */
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
