import { toError } from '@weir/foundation';
import type { RolloutClient, StartOptions } from '../client/rollout-client';
import type { ExportOptions, RolloutSession } from '../client/rollout-session';
import type { RolloutWorkflow } from './workflow';
import { exportEpisode, hasRows } from './export-episode';
import { EpisodeError, type CompletedEpisode, type EpisodeOutcome } from './outcome';
import { checkNamed, readReward } from './read-reward';
import type { RunAgent } from './run-agent';
import { toRejected } from './to-rejected';

export interface ProxyWorkflowOptions {
  readonly client: Pick<RolloutClient, 'grant' | 'start' | 'interactions' | 'export'>;
  readonly runAgent: RunAgent;
  /** Beginning of the ids of the sessions. Default: empty. */
  readonly taskId?: string;
  /** The LoRA adapter that samples the calls of the episodes, also of all members of a group. Default: none. */
  readonly adapter?: StartOptions['adapter'];
  /** The time limit of the agent's `run`. Default 10 min. */
  readonly timeoutMs?: number;
  /** Options such as discount and style. */
  readonly export?: ExportOptions;
  /** Whether the proxy keeps the episode until it is acknowledged, see `createTrainingLog`. Default: until it is exported. */
  readonly keepUntilTrained?: boolean;
}

const defaultTimeoutMs = 600_000;

/**
 * Plays an episode in front of the proxy: grant, start, the agent, end, rewards, export, and unless it is kept the
 * acknowledgement. Never rejects.
 * However the episode is rejected, its session is deleted before the outcome is returned, so that its capacity is free.
 */
export function createProxyWorkflow(options: ProxyWorkflowOptions): RolloutWorkflow {
  const { client, runAgent, taskId = '', adapter, timeoutMs = defaultTimeoutMs } = options;
  return {
    arunEpisode: async (_engine, data, { sampleIndex = 0, signal } = {}): Promise<EpisodeOutcome> => {
      const abort = signal ?? new AbortController().signal;
      let session: RolloutSession | undefined;
      try {
        await client.grant({ signal: abort });
        session = await client.start({ taskId, ...(adapter && { adapter }), signal: abort });
        const { baseUrl, apiKey } = session;
        const returned = await runAgent({ data, baseUrl, apiKey, sampleIndex, signal: abort, timeoutMs });
        return await finish(session, returned, options);
      } catch (error) {
        const cleanUpError = await session?.remove().then(() => undefined, toError);
        const otherwise = abort.aborted ? 'cancelled' : 'proxy_failed';
        return toRejected({ error, otherwise, sessionId: session?.id, cleanUpError });
      }
    },
  };
}

async function finish(
  session: RolloutSession,
  returned: unknown,
  { client, export: exportOptions = {}, keepUntilTrained = false }: ProxyWorkflowOptions,
): Promise<CompletedEpisode> {
  // The session ends first: a call that the agent left running must not become the last one, which gets the reward.
  if ((await session.end()) === 0) throw noInteractions('The agent completed no model call.');
  await setRewards(session, returned);
  const episode = await exportEpisode(client, session.id, exportOptions);
  if (!hasRows(episode)) throw noInteractions('No interaction may be used for training.');
  if (!keepUntilTrained) await session.acknowledge();
  return episode;
}

async function setRewards(session: RolloutSession, returned: unknown): Promise<void> {
  const given = readReward(returned);
  if (given.kind === 'last') await session.reward(given.reward);
  if (given.kind !== 'named') return;
  const ids = (await session.interactions()).map(({ id }) => id);
  checkNamed(given.rewards, ids);
  for (const [id, reward] of given.rewards) await session.reward(reward, id);
}

function noInteractions(message: string): EpisodeError {
  return new EpisodeError('no_interactions', message);
}
