import { joinIds } from '../../tokenizer/join-ids';
import type { EngineInfo, GenerationEnd, GenerationRequest, TokenPiece } from '../port/inference-engine';

type EngineVersions = EngineInfo['versions'] | 'unknown';

/** The tokens of one generation over all its segments. */
export class GeneratedTokens {
  private ids = new Int32Array(64);
  private total = 0;
  private versions: Int32Array[] = [];
  private isRelabelled = false;
  private doubt: string | undefined;
  private cachedTokens: number | undefined;
  /**
   * These describe the running segment: its first token, its version, and whether tokens have that version only by
   * default.
   */
  private start = 0;
  private pinned = 0;
  private engineVersions: EngineVersions = 'unknown';
  private hasPinned = false;

  constructor(private readonly whole: GenerationRequest) {}

  get count(): number {
    return this.total;
  }

  /** The limit is reached, or the last token ends the answer. */
  get isComplete(): boolean {
    return this.isFull || (this.total > 0 && this.whole.stopTokenIds.includes(this.ids[this.total - 1] ?? -1));
  }

  begin(pinned: number, engineVersions: EngineVersions): void {
    this.start = this.total;
    this.pinned = pinned;
    this.engineVersions = engineVersions;
    this.hasPinned = false;
  }

  /** The request of the next segment. Segments are counted from 1. */
  request(segmentNumber: number): GenerationRequest {
    const { whole, total } = this;
    if (segmentNumber === 1) return whole;
    const promptIds = new Int32Array(whole.promptIds.length + total);
    promptIds.set(whole.promptIds);
    promptIds.set(this.ids.subarray(0, total), whole.promptIds.length);
    const requestId = `${whole.requestId}.${segmentNumber}`;
    return { ...whole, requestId, promptIds, maxNewTokens: whole.maxNewTokens - total };
  }

  /** Returns the piece with a version for every token. `version` is the current one. */
  add(piece: TokenPiece, version: number): TokenPiece {
    const tokens = { ...piece.tokens, versions: this.withVersions(piece.tokens.versions) };
    this.append(tokens.ids);
    this.versions.push(tokens.versions);
    const doubt = this.doubt ?? piece.doubt ?? this.versionDoubt(version) ?? this.unconfirmedVersions();
    return { ...piece, tokens, ...(doubt === undefined ? {} : { doubt }) };
  }

  /** `end` is missing when the segment was interrupted. `version` was current when it stopped. */
  settle(end: GenerationEnd | undefined, version: number): void {
    this.doubt ??= end?.doubt;
    // Only the first segment counts: the prompt of a later one holds sampled tokens.
    if (this.start === 0) this.cachedTokens ??= end?.cachedTokens;
    if (end?.versions !== undefined) this.correct(end.versions);
    this.doubt ??= this.versionDoubt(version);
  }

  end(last: GenerationEnd): GenerationEnd {
    const { cachedTokens, doubt } = this;
    return {
      kind: 'end',
      reason: last.reason === 'aborted' && this.isComplete ? (this.isFull ? 'length' : 'stop') : last.reason,
      ...(cachedTokens === undefined ? {} : { cachedTokens }),
      ...(doubt === undefined ? {} : { doubt }),
      ...(this.isRelabelled ? { versions: joinIds(this.versions) } : {}),
    };
  }

  /** A version was set while the segment ran, and the engine does not report at which token. */
  private versionDoubt(version: number): string | undefined {
    const hasUnknownPositions = this.hasPinned || this.engineVersions === 'answer';
    const isChanged = version !== this.pinned && this.total > this.start;
    return hasUnknownPositions && isChanged ? 'version_changed_within_answer' : undefined;
  }

  /**
   * Either the engine has not reported the versions of this segment yet, which some do only in their last event; or it
   * has corrected the versions of delivered pieces, which only the end contains.
   */
  private unconfirmedVersions(): string | undefined {
    const isUnreported = this.hasPinned && this.engineVersions === 'spans';
    return isUnreported || this.isRelabelled ? 'versions_unconfirmed' : undefined;
  }

  /** Applies versions that the engine reported after the pieces. */
  private correct(confirmed: Int32Array): void {
    this.hasPinned = false;
    const before = joinIds(this.versions);
    const corrected = this.withVersions(confirmed);
    const { start } = this;
    this.isRelabelled ||= corrected.some((version, index) => version !== before[start + index]);
    this.versions = [before.slice(0, start), corrected];
  }

  private get isFull(): boolean {
    return this.total >= this.whole.maxNewTokens;
  }

  private withVersions(from: Int32Array): Int32Array {
    const isSilent = this.engineVersions === 'none';
    if (!isSilent && from.every((version) => version >= 0)) return from;
    this.hasPinned = true;
    return from.map((version) => (isSilent || version < 0 ? this.pinned : version));
  }

  private append(more: Int32Array): void {
    const total = this.total + more.length;
    if (total > this.ids.length) {
      // Doubled, so that pieces of one token do not cost a copy each.
      const room = new Int32Array(total * 2);
      room.set(this.ids.subarray(0, this.total));
      this.ids = room;
    }
    this.ids.set(more, this.total);
    this.total = total;
  }
}
