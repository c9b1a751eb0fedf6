import type { SessionSummary } from '@weir/rollout-contract';
import type { RolloutClient } from '../client/rollout-client';
import type { ExportOptions } from '../client/rollout-session';
import { exportEpisode, hasRows } from '../episode/export-episode';
import type { CompletedEpisode } from '../episode/outcome';
import { readSteps, writeSteps } from './steps-file';
import {
  sameSession,
  sessionsAfter,
  sessionsUpTo,
  withoutStepsUpTo,
  withStep,
  type StepSession,
} from './training-steps';

export interface TrainingLogOptions {
  readonly client: Pick<RolloutClient, 'sessions' | 'interactions' | 'export' | 'acknowledge'>;
  /** Next to the saved weights. It is replaced at each step. */
  readonly file: string;
  /** Only sessions of this task are delivered again. Default: all of the proxy. */
  readonly taskId?: string;
}

export interface Recovered {
  /** Sessions that the saved weights hold. They were acknowledged, and are not delivered again. */
  readonly trained: readonly string[];
  /** Sessions of a step whose weights were not saved, and that the proxy no longer has. */
  readonly missing: readonly string[];
  /** All other exported episodes of the proxy, exported again one by one. */
  readonly episodes: AsyncIterable<CompletedEpisode>;
}

/**
 * Trains each episode once, whenever the trainer is killed. In this order: `begin`, training, saving the weights,
 * `trained`; and after a start `recover`. Episodes come from a rollout with `keepUntilTrained`. For one trainer at a time.
 */
export interface TrainingLog {
  /**
   * Stores which sessions make this version of the weights. Repeating it replaces the step. Rejects with `conflict`,
   * reason `already_trained`, for a session of an earlier version.
   */
  begin(version: number, episodes: readonly Pick<CompletedEpisode, 'sessionId'>[]): Promise<void>;
  /**
   * Call this after these weights were saved: it acknowledges their sessions, and those of earlier versions.
   * Idempotent.
   */
  trained(version: number): Promise<void>;
  /** The work that remains after a start with the weights of `savedVersion`. */
  recover(savedVersion: number, options?: ExportOptions): Promise<Recovered>;
}

export function createTrainingLog({ client, file, taskId }: TrainingLogOptions): TrainingLog {
  const acknowledgeUpTo = async (version: number): Promise<readonly string[]> => {
    const steps = await readSteps(file);
    const atProxy = (await client.sessions()).map(toStepSession);
    const trained = sessionsUpTo(steps, version).filter((one) => atProxy.some((other) => sameSession(one, other)));
    const ids = trained.map(({ id }) => id);
    await client.acknowledge(ids);
    // Afterwards: a trainer that is killed in between acknowledges them at its next start.
    await writeSteps(file, withoutStepsUpTo(steps, version));
    return ids;
  };
  return {
    begin: async (version, episodes) => {
      const createdAt = new Map((await client.sessions()).map((one) => [one.session_id, one.created_at]));
      const sessions = episodes.map(({ sessionId: id }) => ({ id, created_at: createdAt.get(id) ?? null }));
      await writeSteps(file, withStep(await readSteps(file), version, sessions));
    },
    trained: async (version) => {
      await acknowledgeUpTo(version);
    },
    recover: async (savedVersion, options = {}) => {
      const trained = await acknowledgeUpTo(savedVersion);
      const sessions = await client.sessions();
      const atProxy = sessions.map(toStepSession);
      const begun = sessionsAfter(await readSteps(file), savedVersion);
      const exported = sessions
        .filter(({ state, task_id: task }) => state === 'exported' && (taskId === undefined || task === taskId))
        .map(({ session_id: id }) => id);
      return {
        trained,
        missing: begun.filter((one) => !atProxy.some((other) => sameSession(one, other))).map(({ id }) => id),
        episodes: deliver(client, exported, options),
      };
    },
  };
}

async function* deliver(
  client: TrainingLogOptions['client'],
  sessionIds: readonly string[],
  options: ExportOptions,
): AsyncGenerator<CompletedEpisode> {
  for (const id of sessionIds) {
    const episode = await exportEpisode(client, id, options);
    if (hasRows(episode)) yield episode;
    // The trainer was killed before it could reject the episode.
    else await client.acknowledge([id]);
  }
}

function toStepSession({ session_id: id, created_at }: SessionSummary): StepSession {
  return { id, created_at };
}
