import { createWaitList } from '@weir/foundation';
import {
  checkLossWeight,
  mergeContinuations,
  type Interaction,
  type InteractionCache,
  type InteractionDraft,
  type Message,
  type PromptContext,
} from '@weir/rollout-core';
import { createCompletionRegistry, type OpenCompletion, type Recording } from '@weir/rollout-engine';
import type { Clock } from '../../clock';
import { createWorkQueue } from '../../journal/work-queue';
import type { SessionJournal } from './session-journals';
import { toDraft, toStoredDraft, type SessionRecord, type StartedRecord } from './session-records';
import {
  interactionNotFound,
  noInteractions,
  rewardInvalid,
  sessionEnded,
  sessionMoved,
  sessionNotFound,
} from './session-errors';
import { assertBytes, assertRoom, type SessionRoom } from './assert-room';
import { effectiveRecords, type RestoredRecords } from './effective-records';
import { createRunningCompletions } from './running-completions';
import type {
  EndReason,
  LossWeightTarget,
  RewardGiven,
  RewardTarget,
  ScoredInteraction,
  Session,
  SessionState,
  SessionStatus,
} from '../../session';

export interface SessionOptions extends SessionRoom {
  readonly started: StartedRecord;
  readonly cache: InteractionCache;
  readonly journal: SessionJournal;
  readonly endWaitMs: number;
  readonly clock: Clock;
  /** Called once the end is stored. */
  readonly onEnded?: ((session: Session) => void) | undefined;
}

/** Creates a session; default: a new one. */
export function createSession(
  options: SessionOptions,
  restored: RestoredRecords = { records: [], damagedBytes: 0 },
): Session {
  return new JournaledSession(options, restored);
}

class JournaledSession implements Session {
  readonly id: string;
  readonly taskId: string;
  readonly number: number;
  readonly keyHash: string;
  readonly createdAtMs: number;
  readonly cache: InteractionCache;
  readonly damagedBytes: number;
  readonly recording: Partial<Recording> | undefined;
  readonly adapter: string | undefined;
  readonly completions = createCompletionRegistry();
  readonly #options: SessionOptions;
  readonly #running = createRunningCompletions();
  /** Changes are stored and applied in sequence. */
  readonly #inSequence = createWorkQueue();
  readonly #stateChange = createWaitList();
  #state: SessionState = 'active';
  #endReason: EndReason | undefined;
  #stateSinceMs: number;
  #lastUsedAtMs: number;
  #sampledTokens = 0;
  #rewardRevision = 0;
  #bytes = 0;
  #ending: Promise<void> | undefined;
  #hasLeft = false;

  constructor(options: SessionOptions, restored: RestoredRecords) {
    const { started, cache, clock } = options;
    this.#options = options;
    this.id = started.sessionId;
    this.taskId = started.taskId;
    this.number = started.number;
    this.keyHash = started.keyHash;
    this.createdAtMs = started.createdAtMs;
    this.recording = started.recording;
    this.adapter = started.adapter;
    this.cache = cache;
    this.#stateSinceMs = started.createdAtMs;
    this.#lastUsedAtMs = clock.nowMs();
    this.damagedBytes = restored.damagedBytes;
    this.#restore(restored);
  }

  get sampledTokens(): number {
    return this.#sampledTokens;
  }

  status(): SessionStatus {
    return {
      state: this.#state,
      endReason: this.#endReason,
      runningCompletions: this.#running.count(),
      sampledTokens: this.#sampledTokens,
      rewardRevision: this.#rewardRevision,
      bytes: this.#bytes,
      lastUsedAtMs: this.#lastUsedAtMs,
      stateSinceMs: this.#stateSinceMs,
    };
  }

  findConversation(interactionId: string): readonly Message[] | undefined {
    const interaction = this.cache.get(interactionId);
    return interaction === undefined ? undefined : mergeContinuations([...interaction.messages, interaction.output]);
  }

  startCompletion(): OpenCompletion {
    this.#assertLimits();
    this.#touch();
    const completion = this.#running.start();
    return {
      signal: completion.signal,
      commit: (draft, promptIds, context) => this.#commit(draft, promptIds, context),
      close: () => {
        completion.end();
        this.#touch();
      },
    };
  }

  setReward({ interactionId, reward, isCorrection }: RewardTarget): Promise<RewardGiven> {
    return this.#inSequence(async () => {
      this.assertPresent();
      if (this.#state !== 'active' && !isCorrection) throw sessionEnded();
      const target = interactionId ?? this.cache.last?.id;
      if (target === undefined) throw noInteractions();
      if (this.cache.get(target) === undefined) throw interactionNotFound();
      // Checked as a trainer gets it: the ledger would reject it only after it was stored.
      if (!Number.isFinite(Math.fround(reward))) throw rewardInvalid();
      await this.#append({ kind: 'reward', interactionId: target, reward });
      this.cache.rewards.set(target, reward);
      this.#rewardRevision += 1;
      this.#touch();
      return { interactionId: target, reward, revision: this.#rewardRevision };
    });
  }

  setLossWeights({ target, isCorrection }: LossWeightTarget): Promise<void> {
    return this.#inSequence(async () => {
      this.assertPresent();
      if (this.#state !== 'active' && !isCorrection) throw sessionEnded();
      const { lossWeights } = this.cache;
      if (target.kind === 'session') {
        checkLossWeight(target.weight);
        await this.#append({ kind: 'session_loss_weight', weight: target.weight });
        lossWeights.setSession(target.weight);
      } else {
        const { interactionId } = target;
        const interaction = this.cache.get(interactionId);
        if (interaction === undefined) throw interactionNotFound();
        const ranges = target.ranges ?? [{ from: 0, to: interaction.sampled.ids.length, weight: target.weight }];
        lossWeights.check(interactionId, ranges);
        await this.#append({ kind: 'loss_weights', interactionId, ranges });
        lossWeights.set(interactionId, ranges);
      }
      this.#touch();
    });
  }

  addScores(scored: ScoredInteraction): Promise<void> {
    return this.#inSequence(async () => {
      this.assertPresent();
      if (this.cache.get(scored.interactionId) === undefined) throw interactionNotFound();
      assertBytes(this.#options, { bytes: this.#bytes });
      await this.#append({ kind: 'scores', ...scored });
      this.#addScores(scored);
    });
  }

  end(reason: EndReason): Promise<void> {
    if (this.#state !== 'active') return this.#ending ?? Promise.resolve();
    this.#ending = this.#end(reason);
    return this.#ending;
  }

  async waitUntilEnded(waitMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#isUnfinished()) return true;
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const ended = this.#stateChange.wait(either).then(() => true);
    const late = this.#options.clock.sleep(waitMs, either).then(() => false);
    try {
      return await Promise.race([ended, late]);
    } finally {
      over.abort();
    }
  }

  markExported(): Promise<void> {
    return this.#inSequence(async () => {
      this.assertPresent();
      if (this.#state !== 'ended') return;
      const atMs = this.#options.clock.nowMs();
      await this.#append({ kind: 'exported', atMs });
      this.#enter('exported', atMs);
    });
  }

  assertPresent(): void {
    if (this.#state === 'removed' && !this.#hasLeft) throw sessionNotFound();
    if (!this.isOwned()) throw sessionMoved();
  }

  isOwned(): boolean {
    return !this.#hasLeft && this.#options.journal.isOwned();
  }

  hasLeft(): boolean {
    return this.#hasLeft;
  }

  leave(): void {
    if (this.#state === 'removed') return;
    this.#hasLeft = true;
    this.#enter('removed', this.#options.clock.nowMs());
    this.#running.abortAll(sessionMoved());
    // A commit whose record is being written still adds its bytes.
    void this.#inSequence(() => {
      this.#releaseBytes();
      return Promise.resolve();
    });
  }

  async remove(): Promise<void> {
    if (this.#state === 'removed') return;
    const mayGrow = this.#isUnfinished();
    this.#enter('removed', this.#options.clock.nowMs());
    this.#running.abortAll(sessionEnded());
    if (!mayGrow) this.#releaseBytes();
    await this.#inSequence(() => {
      // The release must not come earlier: a commit whose record is being written still adds its bytes.
      this.#releaseBytes();
      return this.#options.journal.remove();
    });
  }

  #releaseBytes(): void {
    this.#options.usage.bytes -= this.#bytes;
    this.#bytes = 0;
  }

  #restore(restored: RestoredRecords): void {
    for (const record of effectiveRecords(restored)) {
      if (record.kind === 'context') this.cache.addContext(record.contextKey, record.context);
      if (record.kind === 'interaction') this.#add(toDraft(record.draft, (id) => this.cache.get(id)));
      if (record.kind === 'reward') {
        this.cache.rewards.set(record.interactionId, record.reward);
        this.#rewardRevision += 1;
      }
      if (record.kind === 'session_loss_weight') this.cache.lossWeights.setSession(record.weight);
      if (record.kind === 'loss_weights') this.cache.lossWeights.set(record.interactionId, record.ranges);
      if (record.kind === 'scores') this.#addScores(record);
      if (record.kind === 'ended') this.#enter('ended', record.atMs, record.reason);
      if (record.kind === 'exported') this.#enter('exported', record.atMs);
    }
  }

  #commit(draft: InteractionDraft, promptIds: Int32Array, context?: PromptContext): Promise<Interaction> {
    return this.#inSequence(async () => {
      if (this.#hasLeft) throw sessionMoved();
      if (!this.#isUnfinished()) throw sessionEnded();
      await this.#storeContext(draft.contextKey, context);
      // The journal comes first: a call that sees the interaction and continues it may rely on it.
      await this.#append({ kind: 'interaction', draft: toStoredDraft(draft) });
      try {
        return this.#add(draft, promptIds);
      } catch (error) {
        await this.#append({ kind: 'retracted', interactionId: draft.id });
        throw error;
      }
    });
  }

  async #storeContext(contextKey: string, context: PromptContext | undefined): Promise<void> {
    if (context === undefined || this.cache.findContext(contextKey) !== undefined) return;
    await this.#append({ kind: 'context', contextKey, context });
    this.cache.addContext(contextKey, context);
  }

  #add(draft: InteractionDraft, promptIds?: Int32Array): Interaction {
    const interaction = this.cache.add(draft, promptIds);
    this.#sampledTokens += draft.sampled.ids.length;
    this.#countBytes();
    return interaction;
  }

  #addScores({ scorer, interactionId, scores }: ScoredInteraction): void {
    const interaction = this.cache.get(interactionId);
    if (interaction === undefined) return;
    this.cache.addScores(scorer, interaction, scores);
    this.#countBytes();
  }

  #countBytes(): void {
    this.#options.usage.bytes += this.cache.byteSize - this.#bytes;
    this.#bytes = this.cache.byteSize;
  }

  async #end(reason: EndReason): Promise<void> {
    const { clock, endWaitMs } = this.#options;
    this.#state = 'ending';
    await this.#running.waitUntilIdle((ms, signal) => clock.sleep(ms, signal), endWaitMs);
    this.#running.abortAll(sessionEnded());
    try {
      await this.#inSequence(async () => {
        if (this.#hasLeft) throw sessionMoved();
        if (this.#state !== 'ending') return;
        const atMs = clock.nowMs();
        await this.#append({ kind: 'ended', reason, atMs });
        this.#enter('ended', atMs, reason);
        this.#options.onEnded?.(this);
      });
    } catch (error) {
      // The record was not stored, so the session has not ended: the caller may retry.
      if (this.#isUnfinished()) this.#state = 'active';
      this.#ending = undefined;
      throw error;
    }
  }

  #enter(state: SessionState, atMs: number, reason = this.#endReason): void {
    // Removed while the record of another state was being written.
    if (this.#state === 'removed') return;
    this.#state = state;
    this.#stateSinceMs = atMs;
    this.#endReason = reason;
    this.#stateChange.wakeAll();
  }

  #assertLimits(): void {
    if (this.#hasLeft) throw sessionMoved();
    if (this.#state !== 'active') throw sessionEnded();
    const interactions = this.cache.size + this.#running.count();
    assertRoom(this.#options, { interactions, tokens: this.#sampledTokens, bytes: this.#bytes });
  }

  #isUnfinished(): boolean {
    return this.#state === 'active' || this.#state === 'ending';
  }

  #touch(): void {
    if (this.#state === 'active') this.#lastUsedAtMs = this.#options.clock.nowMs();
  }

  #append(record: SessionRecord): Promise<number> {
    return this.#options.journal.append(record);
  }
}
