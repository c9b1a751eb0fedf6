import { createTensor, readSafetensors, writeSafetensors, type TensorDict } from '@weir/tensor-dict';
import fc from 'fast-check';
import { createInteractionCache } from '../cache/interaction-cache';
import { aDraft, sessions } from '../cache/testing/session-builder';
import { exportTrajectories } from './export-trajectories';
import { readTrainingBatch, writeTrainingBatch } from './training-batch';

const failure = (code: string, reason: string) => expect.objectContaining({ code, reason }) as Error;
const invalid = failure('invalid_request', 'batch_invalid');

const toBits = (dict: TensorDict) =>
  Object.fromEntries(
    Object.entries(dict).map(([key, { dtype, shape, data }]) => [
      key,
      [dtype, shape, ...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)],
    ]),
  );

/** Rows 1 2 |3 4 5| with a change of version after 3, and 6 |7|. */
function aSession() {
  const cache = createInteractionCache();
  const sampled = {
    ids: Int32Array.of(3, 4, 5),
    logprobs: Float32Array.of(-1, -2, -3),
    versions: Int32Array.of(7, 8, 8),
  };
  const first = cache.add(aDraft({ id: 'first', context: [1, 2], sampled }));
  cache.add(aDraft({ id: 'second', context: [6], answer: [7] }));
  cache.rewards.set(first.id, 0.5);
  return cache;
}

const aBatch = () => exportTrajectories(aSession()).entries;

describe('writeTrainingBatch', () => {
  it('lays rows out one after the other, and only trained tokens in the other lists', () => {
    const { tensors, metadata } = readSafetensors(writeTrainingBatch(aBatch(), { session: 's-1' }));
    expect(Object.fromEntries(Object.entries(tensors).map(([key, { data }]) => [key, [...data]]))).toEqual({
      input_ids: [1, 2, 3, 4, 5, 6, 7],
      logprobs: [-1, -2, -3, -0.4375],
      row_offsets: [0, 5, 7],
      span_starts: [2, 3, 6],
      span_lengths: [1, 2, 1],
      span_versions: [7, 8, 1],
      span_turns: [0, 0, 0],
      rewards: [0.5, 0],
      original_rewards: [0.5, 0],
    });
    expect(metadata).toEqual({
      format: 'weir-training-batch',
      format_version: '1',
      row_ids: '["first","second"]',
      session: 's-1',
    });
  });

  it('uses at most 13 bytes per token', () => {
    const cache = createInteractionCache();
    const numbers = Array.from({ length: 1000 }, (_value, index) => index);
    for (let row = 0; row < 8; row += 1) {
      const sampled = {
        ids: Int32Array.from(numbers),
        logprobs: new Float32Array(1000),
        // Weights that changed fifty times in one answer.
        versions: Int32Array.from(numbers, (index) => Math.floor(index / 20)),
      };
      cache.add(aDraft({ context: numbers.slice(0, 10), sampled }));
    }
    const { entries, report } = exportTrajectories(cache);
    const perToken = writeTrainingBatch(entries).byteLength / report.tokens;
    expect(perToken).toBeLessThan(13);
    expect(perToken).toBeGreaterThan(8);
  });

  it('restores the rows of any session bit for bit', () => {
    const options = fc.record({
      style: fc.constantFrom('individual' as const, 'concat' as const),
      turnIds: fc.boolean(),
      originalRewards: fc.boolean(),
    });
    fc.assert(
      fc.property(sessions, options, (cache, choices) => {
        const hasTop = [...cache].some(
          ({ sampled, quarantine }) => quarantine === undefined && sampled.top !== undefined,
        );
        const { entries } = exportTrajectories(cache, {
          ...choices,
          tensors: hasTop ? ['top_logprobs', 'loss_weights'] : [],
        });
        const rows = readTrainingBatch(writeTrainingBatch(entries));
        expect(rows.map(({ id, dict }) => [id, toBits(dict)])).toEqual(
          entries.map(({ id, dict }) => [id, toBits(dict)]),
        );
      }),
    );
  });

  it('refuses invalid rows, ones with more than one row, or with a key that others lack', () => {
    const [first, second] = aBatch();
    if (first === undefined || second === undefined) throw new Error('two rows are needed');
    const without = exportTrajectories(aSession(), { turnIds: false }).entries[1];
    expect(() => writeTrainingBatch(without === undefined ? [] : [first, without])).toThrow(invalid);
    const versions = createTensor('int32', [1, 2], Int32Array.of(0, 1));
    expect(() => writeTrainingBatch([{ id: 'x', dict: { ...second.dict, versions } }])).toThrow(invalid);
    const rewards = createTensor('float32', [1], Float32Array.of(Number.NaN));
    expect(() => writeTrainingBatch([{ id: 'x', dict: { ...second.dict, rewards } }])).toThrow(
      failure('invalid_request', 'training_dict_invalid'),
    );
  });
});

describe('readTrainingBatch', () => {
  const file = () => readSafetensors(writeTrainingBatch(aBatch()));
  const int32 = (...data: number[]) => createTensor('int32', [data.length], Int32Array.from(data));
  const float32 = (...data: number[]) => createTensor('float32', [data.length], Float32Array.from(data));

  it.each<[string, TensorDict]>([
    ['another tensor', { advantages: float32(1) }],
    ['offsets that go back', { row_offsets: int32(0, 7, 7) }],
    ['offsets that do not start at 0', { row_offsets: int32(1, 5, 7) }],
    ['offsets short of the tokens', { row_offsets: int32(0, 5, 6) }],
    ['a row without a reward', { rewards: float32(1) }],
    ['a row without an original reward', { original_rewards: float32(1) }],
    ['a span past its row', { span_lengths: int32(1, 3, 1) }],
    ['a span past the end', { span_starts: int32(2, 3, 7) }],
    ['spans that overlap', { span_starts: int32(2, 2, 6) }],
    ['an empty span', { span_lengths: int32(0, 3, 1) }],
    ['a span of negative length', { span_lengths: int32(1, -2, 1) }],
    ['a span before the first token', { span_starts: int32(-1, 3, 6) }],
    ['a span without a version', { span_versions: int32(1, 2) }],
    ['a span without a turn', { span_turns: int32(1, 2) }],
    ['a log-probability that is none', { logprobs: float32(-1, -2, Number.NaN, -4) }],
    ['a reward without an end', { rewards: float32(1, Number.POSITIVE_INFINITY) }],
    ['a turn before the first', { span_turns: int32(0, -1, 1) }],
    ['a missing log-probability', { logprobs: float32(-1, -2, -3) }],
    ['a negative token id', { input_ids: int32(1, 2, 3, 4, -5, 6, 7) }],
    ['ids that are numbers', { input_ids: float32(1, 2, 3, 4, 5, 6, 7) }],
    ['a table instead of a list', { rewards: createTensor('float32', [2, 1], new Float32Array(2)) }],
  ])('refuses a file with %s', (_case, change) => {
    const { tensors, metadata } = file();
    expect(() => readTrainingBatch(writeSafetensors({ ...tensors, ...change }, { metadata }))).toThrow(invalid);
  });

  it.each<[string, TensorDict]>([
    ['the likeliest tokens of one position too few', { top_ids: createTensor('int32', [3, 1], new Int32Array(3)) }],
    ['no axis of the likeliest tokens', { top_ids: int32(1, 2, 3, 4) }],
    ['likeliest tokens of another dtype', { top_ids: createTensor('float32', [4, 1], new Float32Array(4)) }],
    ['likeliest tokens without their log-probabilities', { top_ids: createTensor('int32', [4, 1], new Int32Array(4)) }],
  ])('refuses a file with %s', (_case, change) => {
    const { tensors, metadata } = file();
    expect(() => readTrainingBatch(writeSafetensors({ ...tensors, ...change }, { metadata }))).toThrow(invalid);
  });

  it.each([
    ['another format', { format: 'other' }],
    ['another version', { format_version: '2' }],
    ['ids that are no JSON', { row_ids: '[' }],
    ['ids that are no strings', { row_ids: '[1,2]' }],
    ['an id too few', { row_ids: '["first"]' }],
  ])('refuses a file with %s', (_case, change) => {
    const { tensors, metadata } = file();
    expect(() => readTrainingBatch(writeSafetensors(tensors, { metadata: { ...metadata, ...change } }))).toThrow(
      invalid,
    );
  });

  it('refuses more tokens than allowed', () => {
    const bytes = writeTrainingBatch(aBatch());
    const tooLarge = failure('payload_too_large', 'batch_too_large');
    expect(() => readTrainingBatch(bytes, { maxTokens: 6 })).toThrow(tooLarge);
    expect(readTrainingBatch(bytes, { maxTokens: 7 })).toHaveLength(2);
  });
});
