import { createTensor, writeSafetensors, type SafetensorsSource } from '@weir/tensor-dict';
import { createInteractionCache } from '../cache/interaction-cache';
import { aDraft, someTop } from '../cache/testing/session-builder';
import { exportTrajectories } from './export-trajectories';
import { streamTrainingBatch } from './stream-training-batch';
import { readTrainingBatch, writeTrainingBatch } from './training-batch';

/** A file that remembers which bytes were read. */
function aSource(bytes: Uint8Array) {
  const lengths: number[] = [];
  const source: SafetensorsSource = {
    size: bytes.byteLength,
    read: (position, length) => {
      lengths.push(length);
      if (position + length > bytes.byteLength) return Promise.reject(new Error('read past the end'));
      return Promise.resolve(bytes.slice(position, position + length));
    },
  };
  return { source, lengths };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function aFile(rows: number, { tokens = 50, top = 0 } = {}): Uint8Array {
  const cache = createInteractionCache();
  for (let row = 0; row < rows; row += 1) {
    const context = Array.from({ length: tokens }, (_token, index) => row * tokens + index);
    const sampled = {
      ids: Int32Array.of(7, 8, 9),
      logprobs: Float32Array.of(-row, -0.5, -0.25),
      versions: Int32Array.of(row, row, row + 1),
      ...(top === 0 ? {} : { top: someTop(3, top) }),
    };
    cache.rewards.set(cache.add(aDraft({ id: `row-${row}`, context, sampled })).id, row);
  }
  return writeTrainingBatch(exportTrajectories(cache, { tensors: top === 0 ? [] : ['top_logprobs'] }).entries);
}

const changed = (changes: Readonly<Record<string, Int32Array>>): Uint8Array => {
  const list = (data: Int32Array) => createTensor('int32', [data.length], data);
  const numbers = createTensor('float32', [2], Float32Array.of(-1, -1));
  const tables = {
    input_ids: Int32Array.of(1, 2, 3, 4),
    row_offsets: Int32Array.of(0, 2, 4),
    span_starts: Int32Array.of(1, 3),
    span_lengths: Int32Array.of(1, 1),
    span_versions: Int32Array.of(0, 0),
    ...changes,
  };
  const lists = Object.fromEntries(Object.entries(tables).map(([name, data]) => [name, list(data)]));
  const metadata = { format: 'weir-training-batch', format_version: '1', row_ids: '["a","b"]' };
  return writeSafetensors({ ...lists, logprobs: numbers, rewards: numbers }, { metadata });
};

describe('streamTrainingBatch', () => {
  it.each([0, 2])('returns the same rows as reading the whole file, with %d likeliest tokens', async (top) => {
    const file = aFile(5, { top });
    expect(await collect(streamTrainingBatch(aSource(file).source))).toEqual(readTrainingBatch(file));
  });

  it('returns the experts of each row', async () => {
    const cache = createInteractionCache();
    for (const id of [1, 2]) {
      const routedExperts = { from: 0, layers: 1, perToken: 2, ids: Int16Array.of(id, id + 10) };
      cache.add({ ...aDraft({ context: [id], answer: [id] }), routedExperts });
    }
    const file = writeTrainingBatch(exportTrajectories(cache, { tensors: ['routed_experts'] }).entries);
    expect(await collect(streamTrainingBatch(aSource(file).source))).toEqual(readTrainingBatch(file));
  });

  it('returns no rows of an empty batch', async () => {
    expect(await collect(streamTrainingBatch(aSource(writeTrainingBatch([])).source))).toEqual([]);
  });

  it('reads only the tokens of a requested row', async () => {
    const { source, lengths } = aSource(aFile(20, { tokens: 2000 }));
    const rows = streamTrainingBatch(source);
    await rows.next();
    const before = lengths.length;
    await rows.next();
    expect(lengths.slice(before)).toEqual([2003 * 4, 3 * 4]);
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(source.size / 5);
  });

  it.each([
    ['offsets that decrease', { row_offsets: Int32Array.of(0, 5, 4) }],
    ['offsets that end early', { row_offsets: Int32Array.of(0, 2, 3) }],
    ['a span that crosses rows', { span_lengths: Int32Array.of(2, 1) }],
    ['spans in no order', { span_starts: Int32Array.of(3, 1) }],
    ['a negative token', { input_ids: Int32Array.of(1, -2, 3, 4) }],
  ])('refuses %s, like reading the whole file', async (_what, changes) => {
    const file = changed(changes);
    const refusal = expect.objectContaining({ reason: 'batch_invalid' }) as Error;
    expect(() => readTrainingBatch(file)).toThrow(refusal);
    await expect(collect(streamTrainingBatch(aSource(file).source))).rejects.toEqual(refusal);
  });

  it('refuses another format and too many tokens', async () => {
    const other = aSource(writeSafetensors({}));
    await expect(collect(streamTrainingBatch(other.source))).rejects.toMatchObject({ reason: 'batch_invalid' });
    const large = aSource(aFile(2));
    await expect(collect(streamTrainingBatch(large.source, { maxTokens: 10 }))).rejects.toMatchObject({
      reason: 'batch_too_large',
    });
  });
});
