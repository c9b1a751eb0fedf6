import type { Interaction, InteractionDraft, PromptContext, WeightRange } from '@weir/rollout-core';
import type { Recording } from '@weir/rollout-engine';
import type { EndReason, ScoredInteraction } from '../../session';

type StoredDraft = Omit<InteractionDraft, 'parent' | 'createdAt' | 'completedAt'> & {
  readonly parentId: string | undefined;
  readonly createdAtMs: number;
  readonly completedAtMs: number;
};

export interface StartedRecord {
  readonly kind: 'started';
  readonly sessionId: string;
  readonly taskId: string;
  /** Orders sessions by their start. */
  readonly number: number;
  readonly keyHash: string;
  readonly grantId: string;
  readonly createdAtMs: number;
  /** What is recorded of its calls, where the start said so. */
  readonly recording?: Partial<Recording>;
  /** The name of its adapter. */
  readonly adapter?: string;
}

/** The records of a session's journal, in order: the start, events, the end and the export. */
export type SessionRecord =
  | StartedRecord
  | { readonly kind: 'interaction'; readonly draft: StoredDraft }
  /** Precedes the first interaction with this context. */
  | { readonly kind: 'context'; readonly contextKey: string; readonly context: PromptContext }
  /** The preceding interaction was rejected by the cache. */
  | { readonly kind: 'retracted'; readonly interactionId: string }
  | { readonly kind: 'reward'; readonly interactionId: string; readonly reward: number }
  /** Of all calls without one of their own. */
  | { readonly kind: 'session_loss_weight'; readonly weight: number }
  | { readonly kind: 'loss_weights'; readonly interactionId: string; readonly ranges: readonly WeightRange[] }
  | ({ readonly kind: 'scores' } & ScoredInteraction)
  | { readonly kind: 'ended'; readonly reason: EndReason; readonly atMs: number }
  | { readonly kind: 'exported'; readonly atMs: number };

export function toStoredDraft(draft: InteractionDraft): StoredDraft {
  const { parent, createdAt, completedAt, ...rest } = draft;
  return { ...rest, parentId: parent?.id, createdAtMs: createdAt.getTime(), completedAtMs: completedAt.getTime() };
}

export function toDraft(
  { parentId, createdAtMs, completedAtMs, ...rest }: StoredDraft,
  find: (id: string) => Interaction | undefined,
): InteractionDraft {
  return {
    ...rest,
    parent: parentId === undefined ? undefined : find(parentId),
    createdAt: new Date(createdAtMs),
    completedAt: new Date(completedAtMs),
  };
}
