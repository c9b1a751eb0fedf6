import type { RolloutClient } from './rollout-client';

/**
 * Updates the weights of an engine that the proxy does not load itself: pauses generation, calls `loadWeights` (the
 * engine's own operation), sets the version and resumes. Where `loadWeights` fails, generation resumes under the old
 * version and the error is passed on: the weights must be the old ones then.
 */
export async function updateEngineWeights(
  client: Pick<RolloutClient, 'pause' | 'resume' | 'versions'>,
  version: number,
  loadWeights: () => Promise<unknown>,
): Promise<void> {
  await client.pause();
  try {
    await loadWeights();
    await client.versions.set(version);
  } finally {
    await client.resume();
  }
}
