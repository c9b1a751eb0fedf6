import { truncateSync, writeFileSync } from 'node:fs';
import { writeTrainingBatch } from '@weir/rollout-core';
import { createTensor } from '@weir/tensor-dict';
import { temporaryFolder } from '@weir/test-kit';
import { loadRows, type LoadedRow } from './load';
import { streamRows } from './stream-rows';

const folder = temporaryFolder('weir-stream-');
afterAll(() => folder.remove());

const row = (id: string, length: number) => {
  const shape = [1, length];
  const dict = {
    input_ids: createTensor(
      'int32',
      shape,
      Int32Array.from({ length }, (_id, index) => index),
    ),
    loss_mask: createTensor('int32', shape, new Int32Array(length).fill(1)),
    logprobs: createTensor('float32', shape, new Float32Array(length).fill(-0.5)),
    versions: createTensor('int32', shape, new Int32Array(length).fill(3)),
    attention_mask: createTensor('bool', shape, new Uint8Array(length).fill(1)),
    rewards: createTensor('float32', [1], Float32Array.of(1)),
  };
  return { id, dict };
};
const batch = writeTrainingBatch([row('a', 3), row('b', 100_000), row('c', 5)]);

async function collect(rows: AsyncIterable<LoadedRow>): Promise<readonly LoadedRow[]> {
  const all: LoadedRow[] = [];
  for await (const one of rows) all.push(one);
  return all;
}

describe('streamRows', () => {
  it('returns the same rows as loading the file', async () => {
    const file = folder.file('export.safetensors');
    writeFileSync(file, batch);
    expect(await collect(streamRows(file))).toEqual(loadRows(batch));
  });

  it('fails for a file that is truncated meanwhile', async () => {
    const file = folder.file('shorter.safetensors');
    writeFileSync(file, batch);
    const rows = streamRows(file);
    await rows.next();
    truncateSync(file, 100);
    await expect(rows.next()).rejects.toThrow('became shorter');
  });
});
