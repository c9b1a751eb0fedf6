import { AppError } from '@weir/errors';
import { firstPosition, positionAfter } from '../conversation/message-key';
import { lenientMatching, type Matching } from '../conversation/matching-presets';
import type { Message } from '../conversation/message';
import { createRewardLedger, type RewardLedger } from '../rewards/reward-ledger';
import { findMismatch } from './find-mismatch';
import type { Interaction, InteractionDraft } from './interaction';
import { estimateByteSize } from './interaction-size';
import { checkDraft, checkPrompt, createInteraction } from './interaction-record';
import { contextBytes, type PromptContext } from './prompt-context';
import { MismatchLog, type Mismatch, type MismatchReport } from './mismatch-report';
import { PathIndex, rootDigest, buildTrail, type Trail } from './path-index';

/** Where the messages of a request belong in a session. */
export interface Attachment {
  /** The deepest interaction whose messages and output the request begins with. */
  readonly parent: Interaction | undefined;
  /** The messages after those; empty where the request ends with the parent's output. */
  readonly newMessages: readonly Message[];
  /** How many messages of the request the parent answers for. */
  readonly matchedMessages: number;
  /** Where the request left a known conversation that it seems to go on with. */
  readonly mismatch: Mismatch | undefined;
}

export interface InteractionCacheOptions {
  /** What differences between messages do not count. Default all presets. */
  readonly matching?: Matching;
}

/**
 * The completed calls of one session, in order of completion, as a forest. What a call shares with its parent is not
 * stored again. A call that failed was never added: for the cache it does not exist.
 */
export interface InteractionCache extends Iterable<Interaction> {
  readonly size: number;
  /** The one that was completed last. */
  readonly last: Interaction | undefined;
  /** About how many bytes the session holds in memory: messages, token arrays, look-up tables. */
  readonly byteSize: number;
  readonly rewards: RewardLedger;
  get(id: string): Interaction | undefined;
  /**
   * Where a request belongs. Linear in the messages of the request, whatever the session holds. Notes a mismatch for
   * the report; changes nothing else.
   */
  attach(request: { readonly messages: readonly Message[]; readonly contextKey: string }): Attachment;
  /**
   * Stores a completed call. Costs what its new messages cost. `promptIds`, the whole prompt as it was sent, is
   * compared with what would be exported, in one pass, and not kept.
   *
   * Fails with `conflict` (reason `interaction_exists`) for a known id, and `internal` (reason `interaction_invalid`)
   * for a parent of another cache, arrays of different lengths, values no trainer takes, more inherited tokens than
   * there are, or a prompt other than the stored one. Nothing is stored then.
   */
  add(draft: InteractionDraft, promptIds?: Int32Array): Interaction;
  mismatches(): MismatchReport;
  /** Keeps what a `contextKey` stands for, once, and counts its bytes. Of no use but to render a conversation again. */
  addContext(contextKey: string, context: PromptContext): void;
  findContext(contextKey: string): PromptContext | undefined;
}

export function createInteractionCache(options: InteractionCacheOptions = {}): InteractionCache {
  return new SessionCache(options.matching ?? lenientMatching);
}

class SessionCache implements InteractionCache {
  readonly rewards: RewardLedger;
  readonly #matching: Matching;
  readonly #index: PathIndex;
  readonly #interactions = new Map<string, Interaction>();
  /** Digests of whole paths, which the trails of children start from. */
  readonly #ends = new Map<Interaction, string>();
  readonly #mismatches = new MismatchLog();
  readonly #contexts = new Map<string, PromptContext>();
  #last: Interaction | undefined;
  #latestRoot: Interaction | undefined;
  #byteSize = 0;

  constructor(matching: Matching) {
    this.#matching = matching;
    this.#index = new PathIndex(matching);
    this.rewards = createRewardLedger({
      has: (id) => this.#interactions.has(id),
      lastId: () => this.#last?.id,
    });
  }

  get size(): number {
    return this.#interactions.size;
  }

  get last(): Interaction | undefined {
    return this.#last;
  }

  get byteSize(): number {
    return this.#byteSize;
  }

  [Symbol.iterator](): Iterator<Interaction> {
    return this.#interactions.values();
  }

  get(id: string): Interaction | undefined {
    return this.#interactions.get(id);
  }

  attach({ messages, contextKey }: { messages: readonly Message[]; contextKey: string }): Attachment {
    const trail = buildTrail(messages, this.#matching, { digest: rootDigest(contextKey) });
    const parent = this.#index.deepest(trail, messages);
    const matchedMessages = parent?.pathMessages ?? 0;
    const mismatch = findMismatch({
      messages,
      contextKey,
      trail,
      index: this.#index,
      matching: this.#matching,
      latestRoot: this.#latestRoot,
    });
    if (mismatch !== undefined) this.#mismatches.record(mismatch);
    return { parent, newMessages: messages.slice(matchedMessages), matchedMessages, mismatch };
  }

  add(draft: InteractionDraft, promptIds?: Int32Array): Interaction {
    if (this.#interactions.has(draft.id)) {
      throw new AppError('conflict', 'There is an interaction of this id already.', { reason: 'interaction_exists' });
    }
    checkDraft(draft);
    const trail = this.#buildTrail(draft);
    const interaction = createInteraction(draft, { index: this.size, inputKey: trail.at(-2) ?? '' });
    if (promptIds !== undefined) checkPrompt(interaction, promptIds);
    this.#interactions.set(interaction.id, interaction);
    this.#ends.set(interaction, trail.at(-1) ?? '');
    this.#index.add(interaction, trail);
    this.#last = interaction;
    if (interaction.parent === undefined) this.#latestRoot = interaction;
    this.#byteSize += estimateByteSize(interaction);
    return interaction;
  }

  mismatches(): MismatchReport {
    return this.#mismatches.report();
  }

  addContext(contextKey: string, context: PromptContext): void {
    if (this.#contexts.has(contextKey)) return;
    this.#contexts.set(contextKey, context);
    this.#byteSize += contextBytes(context);
  }

  findContext(contextKey: string): PromptContext | undefined {
    return this.#contexts.get(contextKey);
  }

  #buildTrail({ parent, newMessages, output, contextKey }: InteractionDraft): Trail {
    const messages = [...newMessages, output];
    if (parent === undefined) return buildTrail(messages, this.#matching, { digest: rootDigest(contextKey) });
    const digest = this.#ends.get(parent);
    if (digest === undefined) {
      throw new AppError('internal', 'The parent of an interaction is not in its session.', {
        reason: 'interaction_invalid',
      });
    }
    return buildTrail(messages, this.#matching, { digest, position: positionAfter(parent.output, firstPosition) });
  }
}
