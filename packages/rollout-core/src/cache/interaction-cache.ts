import { AppError } from '@weir/foundation';
import { firstPosition, positionAfter } from '../conversation/message-key';
import { lenientMatching, type Matching } from '../conversation/matching-presets';
import type { Message } from '../conversation/message';
import { createRewardLedger, type RewardLedger } from './reward-ledger';
import { CutAnswers, type SplitConversation } from './cut-answers';
import { findMismatch } from './find-mismatch';
import type { Interaction, InteractionDraft } from './interaction';
import { estimateByteSize } from './interaction-size';
import { checkDraft, checkPrompt, createInteraction } from './interaction-record';
import { contextBytes, type PromptContext } from './prompt-context';
import { createLossWeights, type LossWeights } from './loss-weights';
import { MismatchLog, type Mismatch, type MismatchReport } from './mismatch-report';
import { TokenPrefixes } from './token-prefixes';
import { SessionScores, type ScoreBook, type TokenScores } from './token-scores';
import { PathIndex, rootDigest, buildTrail, type Trail } from './path-index';

/** The position of a request in a session. */
export interface Attachment {
  /** The deepest interaction whose messages and output are the beginning of the request. */
  readonly parent: Interaction | undefined;
  /**
   * The messages after the parent's output; empty where the request ends with it. The first may be a continuation of the
   * output, which the request has in one message with it.
   */
  readonly newMessages: readonly Message[];
  /** How many messages belong to the parent's path, with a continuation counted as one. */
  readonly matchedMessages: number;
  /** The first difference from a known conversation that the request seems to continue. */
  readonly mismatch: Mismatch | undefined;
}

export interface InteractionCacheOptions {
  /** Differences between messages that are ignored. Default all presets. */
  readonly matching?: Matching;
}

/**
 * The interactions of one session as a forest, in order of completion. The common part of an interaction and its parent
 * is stored once. Failed calls are not part of it.
 */
export interface InteractionCache extends Iterable<Interaction> {
  readonly size: number;
  readonly last: Interaction | undefined;
  /** Approximate size of the session in memory: messages, token arrays, indexes. */
  readonly byteSize: number;
  readonly rewards: RewardLedger;
  readonly lossWeights: LossWeights;
  readonly scores: ScoreBook;
  get(id: string): Interaction | undefined;
  /**
   * Finds the position of a request. Linear in the messages of the request, independent of the size of the session.
   * Records a mismatch for the report; changes nothing else.
   */
  attach(request: { readonly messages: readonly Message[]; readonly contextKey: string }): Attachment;
  /**
   * The interaction with the longest path that these tokens begin with, of those that are accepted. Linear in the tokens,
   * independent of the size of the session.
   */
  findByTokens(ids: Int32Array, accepts: (interaction: Interaction) => boolean): Interaction | undefined;
  /**
   * Stores a completed call in time linear in its new messages. `promptIds`, the whole prompt as it was sent, is compared
   * in one pass with what would be exported, and not stored.
   *
   * Fails with `conflict` (reason `interaction_exists`) for a known id, and `internal` (reason `interaction_invalid`)
   * for a parent of another cache, arrays of different lengths, values that no trainer accepts, more inherited tokens
   * than there are, or a prompt that differs from the stored one. Nothing is stored then.
   */
  add(draft: InteractionDraft, promptIds?: Int32Array): Interaction;
  /**
   * Stores scores of a call, in place of earlier ones of that model. Fails with `internal`, reasons `scores_invalid` and
   * `interaction_invalid`.
   */
  addScores(scorer: string, interaction: Interaction, scores: TokenScores): void;
  mismatches(): MismatchReport;
  /**
   * Stores the context behind a `contextKey` once, and counts its bytes. It is needed only to render a conversation
   * again.
   */
  addContext(contextKey: string, context: PromptContext): void;
  findContext(contextKey: string): PromptContext | undefined;
}

export function createInteractionCache(options: InteractionCacheOptions = {}): InteractionCache {
  return new SessionCache(options.matching ?? lenientMatching);
}

class SessionCache implements InteractionCache {
  readonly rewards: RewardLedger;
  readonly lossWeights = createLossWeights((id) => this.#interactions.get(id)?.sampled.ids.length);
  readonly scores = new SessionScores();
  readonly #matching: Matching;
  readonly #index: PathIndex;
  readonly #cutAnswers: CutAnswers;
  readonly #prefixes = new TokenPrefixes();
  readonly #interactions = new Map<string, Interaction>();
  /** Digests of whole paths, from which the trails of children start. */
  readonly #ends = new Map<Interaction, string>();
  readonly #mismatches = new MismatchLog();
  readonly #contexts = new Map<string, PromptContext>();
  #last: Interaction | undefined;
  #latestRoot: Interaction | undefined;
  #byteSize = 0;

  constructor(matching: Matching) {
    this.#matching = matching;
    this.#index = new PathIndex(matching);
    this.#cutAnswers = new CutAnswers(matching);
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

  attach({ messages: given, contextKey }: { messages: readonly Message[]; contextKey: string }): Attachment {
    const { messages, trail } = this.#split(given, rootDigest(contextKey));
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

  findByTokens(ids: Int32Array, accepts: (interaction: Interaction) => boolean): Interaction | undefined {
    return this.#prefixes.deepest(ids, accepts);
  }

  add(draft: InteractionDraft, promptIds?: Int32Array): Interaction {
    if (this.#interactions.has(draft.id)) {
      throw new AppError('conflict', 'An interaction with this id exists already.', { reason: 'interaction_exists' });
    }
    checkDraft(draft);
    const trail = this.#buildTrail(draft);
    const interaction = createInteraction(draft, { index: this.size, inputKey: trail.at(-2) ?? '' });
    if (promptIds !== undefined) checkPrompt(interaction, promptIds);
    this.#interactions.set(interaction.id, interaction);
    this.#ends.set(interaction, trail.at(-1) ?? '');
    this.#index.add(interaction, trail);
    this.#prefixes.add(interaction);
    this.#cutAnswers.add(interaction, trail.at(-2) ?? '');
    this.#last = interaction;
    if (interaction.parent === undefined) this.#latestRoot = interaction;
    this.#byteSize += estimateByteSize(interaction);
    return interaction;
  }

  addScores(scorer: string, interaction: Interaction, scores: TokenScores): void {
    this.#byteSize += this.scores.set(scorer, interaction, scores);
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

  #split(messages: readonly Message[], digest: string): SplitConversation {
    if (this.#cutAnswers.isEmpty) return { messages, trail: buildTrail(messages, this.#matching, { digest }) };
    return this.#cutAnswers.split(messages, { digest, isEnd: (end) => this.#index.isEnd(end) });
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
