import { readdirSync } from 'node:fs';
import { writeTrainingBatch } from '@weir/rollout-core';
import { createTensor } from '@weir/tensor-dict';
import { temporaryFolder } from '@weir/test-kit';
import { streamExport } from './export-stream';

const folder = temporaryFolder('weir-stream-');
afterAll(() => folder.remove());

const dict = {
  input_ids: createTensor('int32', [1, 2], Int32Array.of(1, 2)),
  loss_mask: createTensor('int32', [1, 2], Int32Array.of(0, 1)),
  logprobs: createTensor('float32', [1, 2], Float32Array.of(0, -0.5)),
  versions: createTensor('int32', [1, 2], Int32Array.of(-1, 3)),
  attention_mask: createTensor('bool', [1, 2], Uint8Array.of(1, 1)),
  rewards: createTensor('float32', [1], Float32Array.of(1)),
};
const batch = writeTrainingBatch([
  { id: 'a', dict },
  { id: 'b', dict },
]);

describe('streamExport', () => {
  it('leaves no file behind, even when not all rows are read', async () => {
    for await (const { id } of streamExport(() => Promise.resolve(new Response(batch)), folder.path)) {
      expect([id, readdirSync(folder.path).length]).toEqual(['a', 1]);
      break;
    }
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('leaves no file behind when the export is refused', async () => {
    const rows = streamExport(() => Promise.reject(new Error('refused')), folder.path);
    await expect(rows.next()).rejects.toThrow('refused');
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
