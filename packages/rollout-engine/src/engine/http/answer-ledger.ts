import type { RoutedExperts, SampledTokens } from '@weir/rollout-core';
import type { GenerationEnd, GenerationRequest, TokenChoice, TokenPiece } from '../port/inference-engine';
import { isAppError } from '@weir/foundation';
import type { ScoreRequest } from '../port/token-scorer';
import { engineFailed } from './engine-failure';
import { ScoreLedger } from './score-ledger';
import { asCount } from './json-value';
import { unknownVersion, parseVersionLabel, parseVersionSpans, type VersionSpan } from './weight-versions';

/** Replaces a log-probability that the engine did not report; the end then has a doubt. vLLM uses the same value. */
export const missingLogprob = -9999;

/** What an engine may report of a token besides its log-probability. */
export interface TokenDetails {
  readonly top?: readonly TokenChoice[] | undefined;
  readonly mask?: unknown;
}

/** How exactly an answer reported the weights of its tokens. */
export type VersionMode = 'spans' | 'answer' | 'none';

/** Rounding of 16-bit logits gives values up to this; they count as 0. */
const positiveTolerance = 1e-3;

/**
 * Collects and checks what one answer reports. An inconsistency does not fail the answer: the first doubt is recorded,
 * and the end has it. Only a malformed id fails, because there is no token to deliver.
 */
export class AnswerLedger {
  private ids: Int32Array;
  private logprobs: Float32Array;
  private versions: Int32Array;
  private tops: (readonly TokenChoice[])[] = [];
  private masks: unknown[] = [];
  private given = 0;
  private total = 0;
  private firstDoubt: string | undefined;
  private endReason: GenerationEnd['reason'] | undefined;
  private cachedTokens: number | undefined;
  private spans: readonly VersionSpan[] | undefined;
  private label = unknownVersion;
  private isLabelled = false;
  private isRelabelled = false;
  private experts: RoutedExperts | undefined;
  private promptLogprobs: Float32Array | undefined;
  private isPromptRead = false;

  constructor(private readonly request: GenerationRequest) {
    const capacity = Math.min(request.maxNewTokens, 256);
    this.ids = new Int32Array(capacity);
    this.logprobs = new Float32Array(capacity);
    this.versions = new Int32Array(capacity);
  }

  get count(): number {
    return this.total;
  }

  get reason(): GenerationEnd['reason'] | undefined {
    return this.endReason;
  }

  /** The engine continues beyond the limit of the request; further tokens are ignored. */
  get hasTooManyTokens(): boolean {
    return this.firstDoubt === 'too_many_tokens';
  }

  get versionMode(): VersionMode {
    if (this.spans !== undefined) return 'spans';
    return this.isLabelled ? 'answer' : 'none';
  }

  idAt(index: number): number | undefined {
    return index < this.total ? this.ids[index] : undefined;
  }

  doubt(word: string): void {
    this.firstDoubt ??= word;
  }

  push(id: unknown, logprob: unknown, { top, mask }: TokenDetails = {}): void {
    const value = asCount(id);
    if (value === undefined) throw engineFailed('ids_malformed');
    if (this.total >= this.request.maxNewTokens) {
      // Replaces other doubts: it also ends the reading.
      this.firstDoubt = 'too_many_tokens';
      return;
    }
    if (this.total === this.ids.length) this.grow();
    this.ids[this.total] = value;
    this.logprobs[this.total] = this.checkedLogprob(logprob);
    this.versions[this.total] = this.label;
    this.total += 1;
    if (this.request.topLogprobs > 0) this.tops.push(top ?? []);
    if (this.request.samplingMask === true) this.masks.push(mask);
  }

  /** Compares with the ids of the prompt that the engine reports. */
  comparePrompt(ids: readonly unknown[]): void {
    const { promptIds } = this.request;
    const isEqual = ids.length === promptIds.length && ids.every((id, index) => id === promptIds[index]);
    if (!isEqual) this.doubt('prompt_ids_differ');
  }

  comparePromptCount(count: unknown): void {
    if (typeof count === 'number' && count !== this.request.promptIds.length) this.doubt('prompt_ids_differ');
  }

  setCachedTokens(count: unknown): void {
    this.cachedTokens = asCount(count) ?? this.cachedTokens;
  }

  /** A label for the latest tokens: exact only while it does not change during the answer. */
  setVersionLabel(label: unknown): void {
    if (label === undefined || label === null) return;
    const version = parseVersionLabel(label);
    if (version === undefined) {
      this.doubt('version_label_unknown');
      return;
    }
    if (version !== this.label && this.total > 0) this.doubt('version_changed_within_answer');
    this.isLabelled = true;
    this.label = version;
  }

  /** Spans over all tokens so far; a later list replaces an earlier one. */
  setVersionSpans(value: unknown): void {
    const spans = parseVersionSpans(value);
    if (spans === undefined) {
      this.doubt('version_spans_invalid');
      return;
    }
    this.spans = spans;
    for (const { version, start, end } of spans) {
      for (let index = start; index < Math.min(end, this.total); index += 1) {
        if (this.versions[index] === version) continue;
        if (index < this.given) this.isRelabelled = true;
        this.versions[index] = version;
      }
    }
  }

  /** Reads the log-probabilities of the prompt, once; SGLang sends them with every event of a stream. */
  readPrompt(read: (scores: ScoreLedger, wanted: ScoreRequest) => void): void {
    const { promptIds: ids, promptLogprobsFrom: from, requestId } = this.request;
    if (from === undefined || this.isPromptRead) return;
    this.isPromptRead = true;
    const wanted = { requestId, ids, from, topLogprobs: 0 };
    const scores = new ScoreLedger(wanted);
    try {
      read(scores, wanted);
      this.promptLogprobs = scores.finish().logprobs;
    } catch (error) {
      if (!isAppError(error)) throw error;
      this.doubt('prompt_logprobs_invalid');
    }
  }

  /** `undefined` for experts that are not those of the sequence. */
  setExperts(experts: RoutedExperts | undefined): void {
    if (experts === undefined) this.doubt('routed_experts_invalid');
    this.experts = experts;
  }

  setEndReason(reason: GenerationEnd['reason']): void {
    this.endReason ??= reason;
  }

  /** The tokens since the last piece. */
  takePiece(): TokenPiece | undefined {
    const { given, total, experts, promptLogprobs } = this;
    if (given === total && experts === undefined && promptLogprobs === undefined) return undefined;
    this.given = total;
    this.experts = undefined;
    this.promptLogprobs = undefined;
    const tokens: SampledTokens = {
      ids: this.ids.slice(given, total),
      logprobs: this.logprobs.slice(given, total),
      versions: this.versions.slice(given, total),
    };
    // A caller may stop reading here, so the doubt is reported now; later spans may still cover these tokens.
    const doubt = this.firstDoubt ?? (this.isUncovered ? 'version_spans_invalid' : undefined);
    return {
      kind: 'tokens',
      tokens,
      ...(this.request.topLogprobs > 0 ? { top: this.tops.slice(given, total) } : {}),
      ...(this.request.samplingMask === true ? { masks: this.masks.slice(given, total) } : {}),
      ...(promptLogprobs === undefined ? {} : { promptLogprobs }),
      ...(experts === undefined ? {} : { experts }),
      ...(doubt === undefined ? {} : { doubt }),
    };
  }

  /** Throws for an answer without tokens, unless the engine aborted it. */
  finish(): GenerationEnd {
    if (this.total === 0 && this.endReason !== 'aborted') throw engineFailed('no_ids');
    if (this.endReason === undefined) this.doubt('finish_reason_unknown');
    if (this.isUncovered) this.doubt('version_spans_invalid');
    const isFull = this.total >= this.request.maxNewTokens;
    return {
      kind: 'end',
      reason: this.endReason ?? (isFull ? 'length' : 'stop'),
      ...(this.cachedTokens === undefined ? {} : { cachedTokens: this.cachedTokens }),
      ...(this.firstDoubt === undefined ? {} : { doubt: this.firstDoubt }),
      ...(this.isRelabelled ? { versions: this.versions.slice(0, this.total) } : {}),
    };
  }

  private get isUncovered(): boolean {
    const covered = this.spans?.at(-1)?.end;
    return covered !== undefined && covered !== this.total;
  }

  private checkedLogprob(value: unknown): number {
    if (typeof value !== 'number' || Number.isNaN(value) || value <= missingLogprob) {
      this.doubt('logprobs_missing');
      return missingLogprob;
    }
    if (value <= 0) return value;
    if (value > positiveTolerance) this.doubt('logprobs_positive');
    return 0;
  }

  private grow(): void {
    const capacity = Math.min(this.request.maxNewTokens, this.ids.length * 2);
    this.ids = copyInto(this.ids, new Int32Array(capacity));
    this.logprobs = copyInto(this.logprobs, new Float32Array(capacity));
    this.versions = copyInto(this.versions, new Int32Array(capacity));
  }
}

function copyInto<Numbers extends Int32Array | Float32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
