import type { ModelUsage } from '@weir/rollout-contract';
import type { TableColumn } from '@weir/ui-kit';
import { formatCost, formatCount } from './format-number';
import { usePartsMessages } from './parts-messages';
import { Reward } from './session-facts';

/** What calls of a model came to. There are costs only where a model has a price. */
export function useUsageColumns<Usage extends ModelUsage>(all: readonly Usage[]): readonly TableColumn<Usage>[] {
  const t = usePartsMessages();
  const hasCosts = all.some(({ cost }) => cost !== null);
  const counts = [
    ['sessions', 'parts.usage.sessions'],
    ['calls', 'parts.usage.calls'],
    ['prompt_tokens', 'parts.usage.prompt'],
    ['cached_tokens', 'parts.usage.cached'],
    ['sampled_tokens', 'parts.usage.sampled'],
  ] as const;
  return [
    ...counts.map(([id, name]): TableColumn<Usage> => ({
      id,
      name: t(name),
      align: 'end',
      render: (usage) => formatCount(usage[id]),
    })),
    {
      id: 'reward',
      name: t('parts.usage.reward'),
      align: 'end',
      render: (usage) => <Reward reward={usage.reward_mean} />,
    },
    ...(hasCosts
      ? [
          {
            id: 'cost',
            name: t('parts.usage.cost'),
            align: 'end',
            render: ({ cost }: Usage) => (cost === null ? '–' : formatCost(cost)),
          } as const,
        ]
      : []),
  ];
}
