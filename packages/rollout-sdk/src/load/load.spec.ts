import type { ExportResponse } from '@weir/rollout-contract';
import { writeTrainingBatch } from '@weir/rollout-core';
import { createTensor, tensorDictToJson, type TrainingTensorDict } from '@weir/tensor-dict';
import { load } from './load';

function aRow(ids: readonly number[], reward: number): TrainingTensorDict {
  const length = ids.length;
  const shape = [1, length];
  const mask = ids.map((_id, at) => Number(at === length - 1));
  return {
    input_ids: createTensor('int32', shape, Int32Array.from(ids)),
    loss_mask: createTensor('int32', shape, Int32Array.from(mask)),
    logprobs: createTensor(
      'float32',
      shape,
      Float32Array.from(mask, (one) => (one === 1 ? -0.5 : 0)),
    ),
    versions: createTensor(
      'int32',
      shape,
      Int32Array.from(mask, (one) => one - 1),
    ),
    attention_mask: createTensor('bool', shape, new Uint8Array(length).fill(1)),
    rewards: createTensor('float32', [1], Float32Array.of(reward)),
  };
}

function anExport(rows: Readonly<Record<string, TrainingTensorDict>>): ExportResponse {
  const interactions = Object.entries(rows).map(([id, dict]) => {
    const tensors = Object.entries(tensorDictToJson(dict)).map(([name, tensor]) => [
      name,
      { type: 'tensor', ...tensor, shape: [...tensor.shape], dtype: `torch.${tensor.dtype}` },
    ]);
    const modelResponse = { input_tokens: 1, output_tokens: 1, stop_reason: 'stop', versions: [] };
    return [
      id,
      {
        interaction_id: id,
        parent_id: null,
        reward: 0,
        original_reward: null,
        tensor_dict: Object.fromEntries(tensors) as ExportResponse['interactions'][string]['tensor_dict'],
        model_response: modelResponse,
      },
    ] as const;
  });
  return { session_id: 's', revision: 0, interactions: Object.fromEntries(interactions), report: {} };
}

const first = aRow([1, 2, 3], 0.5);
const second = aRow([4, 5], 1);

describe('load', () => {
  it('reads the rows of a JSON export, in order, with their dtypes', () => {
    const { rows } = load(anExport({ a: first, b: second }));
    expect(rows).toEqual([
      { id: 'a', tensors: first },
      { id: 'b', tensors: second },
    ]);
  });

  it('reads a file to the same tensors', () => {
    const file = writeTrainingBatch([
      { id: 'a', dict: first },
      { id: 'b', dict: second },
    ]);
    expect(load(file)).toEqual(load(anExport({ a: first, b: second })));
  });

  it('pads the rows of several exports to one batch', () => {
    const { batch } = load([anExport({ a: first }), anExport({ b: second })], { padTokenId: 9 });
    expect(batch?.input_ids.shape).toEqual([2, 3]);
    expect([...(batch?.input_ids.data ?? [])]).toEqual([1, 2, 3, 4, 5, 9]);
    expect([...(batch?.attention_mask.data ?? [])]).toEqual([1, 1, 1, 1, 1, 0]);
    expect([...(batch?.versions.data ?? [])]).toEqual([-1, -1, 0, -1, 0, -1]);
    expect([...(batch?.rewards.data ?? [])]).toEqual([0.5, 1]);
  });

  it('returns no batch without rows', () => {
    expect(load(anExport({}))).toEqual({ rows: [], batch: undefined });
  });

  it('refuses rows that must not be trained on', () => {
    const broken = { ...first, logprobs: createTensor('float32', [1, 3], Float32Array.of(0, 0, Number.NaN)) };
    expect(() => load(anExport({ a: broken }))).toThrow(
      expect.objectContaining({ reason: 'training_dict_invalid' }) as Error,
    );
  });
});
