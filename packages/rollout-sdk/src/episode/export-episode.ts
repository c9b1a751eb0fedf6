import type { ExportResponse } from '@weir/rollout-contract';
import type { RolloutClient } from '../client/rollout-client';
import type { ExportOptions } from '../client/rollout-session';
import type { CompletedEpisode } from './outcome';

export type ExportedEpisode = CompletedEpisode & { readonly exported: ExportResponse };

/** The proxy keeps the data. */
export async function exportEpisode(
  client: Pick<RolloutClient, 'interactions' | 'export'>,
  sessionId: string,
  options: ExportOptions,
): Promise<ExportedEpisode> {
  const interactions = await client.interactions(sessionId);
  const reward = interactions.reduce((sum, interaction) => sum + (interaction.reward ?? 0), 0);
  const exported = await client.export(sessionId, options);
  return { kind: 'episode', status: 'completed', sessionId, reward, exported };
}

export const hasRows = ({ exported }: ExportedEpisode): boolean => Object.keys(exported.interactions).length > 0;
