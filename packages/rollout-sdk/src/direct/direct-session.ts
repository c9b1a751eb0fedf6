import { randomUUID } from 'node:crypto';
import { AppError } from '@weir/foundation';
import { createInteractionCache, mergeContinuations, type InteractionCache, type Message } from '@weir/rollout-core';
import { createCompletionRegistry, type CompletionSession, type Conversations } from '@weir/rollout-engine';

/** The interactions of one episode in memory. */
export interface DirectSession extends CompletionSession, Conversations {
  readonly cache: InteractionCache;
  /** Aborts running calls; later ones are refused. */
  close(): void;
}

export function createDirectSession(): DirectSession {
  const cache = createInteractionCache();
  const closed = new AbortController();
  const ended = () => new AppError('conflict', 'The client was closed.', { reason: 'session_ended' });
  let sampledTokens = 0;
  return {
    id: randomUUID(),
    cache,
    completions: createCompletionRegistry(),
    get sampledTokens() {
      return sampledTokens;
    },
    findConversation: (id): readonly Message[] | undefined => {
      const interaction = cache.get(id);
      return interaction === undefined ? undefined : mergeContinuations([...interaction.messages, interaction.output]);
    },
    startCompletion: () => {
      if (closed.signal.aborted) throw ended();
      return {
        signal: closed.signal,
        commit: (draft, promptIds) => {
          const interaction = cache.add(draft, promptIds);
          sampledTokens += draft.sampled.ids.length;
          return Promise.resolve(interaction);
        },
        close: () => undefined,
      };
    },
    close: () => closed.abort(ended()),
  };
}
