import type { FakeAnswer, FakeEngineOptions, FakeEngineRequest } from './fake-engine-types';

/** The tokens of one response with their metadata. */
export interface FakeSample {
  readonly ids: Int32Array;
  readonly logprobs: Float32Array;
  readonly versions: Int32Array;
  readonly labels: readonly string[];
  readonly answer: FakeAnswer;
  readonly finishReason: 'stop' | 'length' | 'abort';
  readonly experts: FakeEngineOptions['experts'];
  readonly masks: readonly (readonly number[])[] | undefined;
}

/** Random numbers from 0 to below 1, the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function sampleAnswer(options: FakeEngineOptions, request: FakeEngineRequest, label: string): FakeSample {
  const adapterSeed = request.adapter === undefined ? 0 : promptSeed([...Buffer.from(request.adapter)]);
  const next = seededNumbers((options.seed ?? 1) * 7_919 + request.callNumber + adapterSeed);
  const scripted = options.script?.(request) ?? seededIds(options, request, next);
  const answer: FakeAnswer = 'ids' in scripted ? scripted : { ids: scripted };
  const isEmpty = answer.faults?.noIds === true || request.maxNewTokens === 0;
  const ids = Int32Array.from(isEmpty ? [] : createIds(answer, request, next));
  // The values are like those of an engine: determined by the prompt, 32-bit, and closer to 0 at lower temperatures.
  const nextLogprob = seededNumbers(promptSeed(request.promptIds) + adapterSeed);
  const scale = options.logprobMode === 'raw' ? 1 : Math.min(1, Math.max(0, request.temperature));
  // This avoids -0, which JSON cannot represent.
  const logprobs = Float32Array.from(
    ids,
    (_, index) => (answer.logprobs?.[index] ?? -(0.3 + 3 * nextLogprob()) * scale) || 0,
  );
  const labels = Array.from(ids, (_, index) =>
    index >= (answer.versionChangeAfter ?? Infinity) ? nextLabel(label) : label,
  );
  const isFull = ids.length >= request.maxNewTokens;
  return {
    ids,
    logprobs,
    versions: Int32Array.from(labels, (one) => (options.versions === 'none' ? -1 : parseVersion(one))),
    labels,
    answer,
    experts: options.experts,
    masks: options.hasSamplingMask === true && request.wantsMask ? createMasks(ids, answer) : undefined,
    finishReason: answer.finishReason ?? (isFull ? 'length' : 'stop'),
  };
}

function createMasks(ids: Int32Array, { faults }: FakeAnswer): readonly (readonly number[])[] | undefined {
  if (faults?.samplingMask === 'missing') return undefined;
  return Array.from(ids, (id) => (faults?.samplingMask === 'other' ? [id + 1] : [id, id + 1]));
}

function promptSeed(promptIds: readonly number[]): number {
  return promptIds.reduce((hash, id) => Math.imul(hash ^ id, 0x01000193), 0x811c9dc5);
}

function seededIds(options: FakeEngineOptions, request: FakeEngineRequest, next: () => number): readonly number[] {
  const count = Math.min(request.maxNewTokens, 16);
  return Array.from({ length: count }, () => Math.floor(next() * (options.vocabularySize ?? 1_000)));
}

/** An endless response exceeds the limit of the request. */
function createIds({ ids, faults }: FakeAnswer, request: FakeEngineRequest, next: () => number): readonly number[] {
  if (faults?.isEndless !== true) return ids;
  return Array.from({ length: request.maxNewTokens + 64 }, (_, index) => ids[index] ?? Math.floor(next() * 1_000));
}

export function nextLabel(label: string): string {
  return String(Math.max(0, parseVersion(label)) + 1);
}

function parseVersion(label: string): number {
  return /^\d+$/.test(label) ? Number(label) : -1;
}
