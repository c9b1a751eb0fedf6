import OpenAI from 'openai';
import { EpisodeError, type EpisodeOutcome } from '../episode/outcome';
import { toRejected } from '../episode/to-rejected';
import { createDirectFetch } from './direct-fetch';
import { createDirectSession, type DirectSession } from './direct-session';
import { exportInteractions, type DirectInteraction, type ExportStyle } from './export-interactions';
import type { DirectModel } from './open-direct-model';

/** Additional methods of a client that is bound to an engine. */
export interface DirectMethods {
  /** Throws `not_found` (reason `unknown_interaction`) or `invalid_request` (reason `reward_invalid`). */
  setReward(interactionId: string, reward: number): void;
  /** Rewards the interaction that was completed last. Throws `conflict` (reason `no_interactions`). */
  setLastReward(reward: number): void;
  /** The part of a child's reward that its parent gets, from 0 to 1, in exports from now on. Without a call it is 1. */
  applyRewardDiscount(turnDiscount: number): void;
  exportInteractions(style?: ExportStyle): ReadonlyMap<string, DirectInteraction>;
  /** The outcome for a workflow: `rejected` with `no_interactions` if nothing was recorded. */
  outcome(style?: ExportStyle): EpisodeOutcome;
  /** Aborts running calls; later ones fail. */
  close(): void;
}

/** The official client, whose `chat.completions.create` and `responses.create` sample from the engine and record it. */
export type DirectClient = OpenAI & DirectMethods;

/** Creates a client; each episode needs its own. */
export function createDirectClient(model: Pick<DirectModel, 'runCompletion'>): DirectClient {
  const session = createDirectSession();
  let discount = 1;
  const client = new OpenAI({
    // The host is never looked up: all requests are answered in this process.
    baseURL: 'http://engine.invalid/v1',
    apiKey: 'unused',
    maxRetries: 0,
    fetch: createDirectFetch(session, model.runCompletion),
  });
  const methods: DirectMethods = {
    setReward: (interactionId, reward) => {
      session.cache.rewards.set(interactionId, reward);
    },
    setLastReward: (reward) => {
      session.cache.rewards.setLast(reward);
    },
    applyRewardDiscount: (turnDiscount) => {
      exportInteractions(session.cache, 'individual', turnDiscount);
      discount = turnDiscount;
    },
    exportInteractions: (style = 'individual') => exportInteractions(session.cache, style, discount),
    outcome: (style = 'individual') => toOutcome(session, exportInteractions(session.cache, style, discount)),
    close: () => session.close(),
  };
  return Object.assign(client, methods);
}

function toOutcome({ id, cache }: DirectSession, exported: ReadonlyMap<string, DirectInteraction>): EpisodeOutcome {
  if (exported.size === 0) {
    const error = new EpisodeError('no_interactions', 'No interaction may be used for training.');
    return toRejected({ error, otherwise: 'no_interactions', sessionId: id });
  }
  const reward = [...cache].reduce((sum, interaction) => sum + (cache.rewards.get(interaction.id)?.reward ?? 0), 0);
  return { kind: 'episode', status: 'completed', sessionId: id, reward, exported };
}
