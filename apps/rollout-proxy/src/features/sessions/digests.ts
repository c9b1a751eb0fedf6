import type { ModelTokens } from '@weir/rollout-contract';
import { entropiesOf, type Interaction, type TopTokens } from '@weir/rollout-core';
import type { Session } from '../../session';

/** The totals of an interaction's sampled tokens. */
export interface InteractionDigest {
  /** `undefined` where nothing was sampled. */
  readonly meanLogprob: number | undefined;
  /** Each version with the number of its tokens, in the order of first occurrence. */
  readonly tokensByVersion: ReadonlyMap<number, number>;
}

/** The totals of a session's interactions. */
export interface SessionDigest {
  /** The sum of the rewards; `undefined` if none was set. */
  readonly reward: number | undefined;
  readonly tokensByVersion: ReadonlyMap<number, number>;
  readonly quarantinedCount: number;
  readonly lastFinishReason: string | undefined;
  /** By the name of the model that the agent asked for. */
  readonly models: ReadonlyMap<string, ModelTokens>;
}

/** Agents choose the names, and a session may have many calls. */
const maxModels = 32;
const otherModels = '(others)';

/**
 * Sums over interactions for those who look. Nothing is computed while calls are recorded; a look counts what was recorded
 * since the one before.
 */
export interface Digests {
  ofInteraction(interaction: Interaction): InteractionDigest;
  ofSession(session: Session): SessionDigest;
  /** At each sampled token; `undefined` where no likeliest tokens are recorded. */
  entropies(interaction: Interaction): Float32Array | undefined;
}

export function createDigests(): Digests {
  const interactions = new WeakMap<Interaction, InteractionDigest>();
  const sessions = new WeakMap<Session, RunningDigest>();
  const entropies = new WeakMap<TopTokens, Float32Array>();
  const ofInteraction = (interaction: Interaction): InteractionDigest => {
    const known = interactions.get(interaction);
    if (known !== undefined) return known;
    const digest = digestInteraction(interaction);
    interactions.set(interaction, digest);
    return digest;
  };
  return {
    ofInteraction,
    ofSession: (session) => {
      const digest = sessions.get(session) ?? new RunningDigest(session, ofInteraction);
      sessions.set(session, digest);
      digest.update();
      return digest;
    },
    entropies: ({ sampled: { top } }) => {
      if (top === undefined) return undefined;
      const known = entropies.get(top) ?? entropiesOf(top);
      entropies.set(top, known);
      return known;
    },
  };
}

function digestInteraction({ sampled }: Interaction): InteractionDigest {
  const tokensByVersion = new Map<number, number>();
  for (const version of sampled.versions) tokensByVersion.set(version, (tokensByVersion.get(version) ?? 0) + 1);
  const sum = sampled.logprobs.reduce((total, logprob) => total + logprob, 0);
  return { tokensByVersion, meanLogprob: sampled.ids.length === 0 ? undefined : sum / sampled.ids.length };
}

class RunningDigest implements SessionDigest {
  readonly tokensByVersion = new Map<number, number>();
  readonly models = new Map<string, ModelTokens>();
  reward: number | undefined;
  quarantinedCount = 0;
  lastFinishReason: string | undefined;
  readonly #session: Session;
  readonly #ofInteraction: (interaction: Interaction) => InteractionDigest;
  #size = 0;
  #revision = -1;

  constructor(session: Session, ofInteraction: (interaction: Interaction) => InteractionDigest) {
    this.#session = session;
    this.#ofInteraction = ofInteraction;
  }

  update(): void {
    const { cache } = this.#session;
    if (cache.size > this.#size) {
      for (const interaction of cache) if (interaction.index >= this.#size) this.#add(interaction);
      this.#size = cache.size;
    }
    const { rewardRevision } = this.#session.status();
    if (rewardRevision === this.#revision) return;
    this.#revision = rewardRevision;
    const rewards = [...cache].flatMap(({ id }) => cache.rewards.get(id)?.reward ?? []);
    this.reward = rewards.length === 0 ? undefined : rewards.reduce((sum, reward) => sum + reward, 0);
  }

  #add(interaction: Interaction): void {
    for (const [version, tokens] of this.#ofInteraction(interaction).tokensByVersion) {
      this.tokensByVersion.set(version, (this.tokensByVersion.get(version) ?? 0) + tokens);
    }
    this.quarantinedCount += Number(interaction.quarantine !== undefined || this.#session.damagedBytes > 0);
    this.lastFinishReason = interaction.finishReason;
    this.#addModel(interaction);
  }

  #addModel({ model: asked, pathTokens, sampled, usage }: Interaction): void {
    const model = this.models.has(asked) || this.models.size < maxModels ? asked : otherModels;
    const before = this.models.get(model);
    this.models.set(model, {
      model,
      calls: (before?.calls ?? 0) + 1,
      prompt_tokens: (before?.prompt_tokens ?? 0) + pathTokens - sampled.ids.length,
      cached_tokens: (before?.cached_tokens ?? 0) + usage.cachedTokens,
      sampled_tokens: (before?.sampled_tokens ?? 0) + sampled.ids.length,
    });
  }
}
