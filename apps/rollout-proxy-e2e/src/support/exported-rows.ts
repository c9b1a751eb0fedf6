import type { ExportResponse } from '@weir/rollout-contract';
import {
  checkTrainingTensorDict,
  readSafetensors,
  tensorFromJson,
  type Tensor,
  type TensorDict,
} from '@weir/tensor-dict';

/** One trajectory of an export, as a trainer reads it. */
export interface ExportedRow {
  readonly id: string;
  readonly parentId: string | null | undefined;
  readonly reward: number;
  readonly ids: readonly number[];
  readonly mask: readonly number[];
  /** The values are exact to the bit. */
  readonly logprobs: Float32Array;
  readonly versions: readonly number[];
}

/** Rows of an export in JSON; each dictionary is checked to be one that may be trained on. */
export function readJsonRows(exported: ExportResponse): readonly ExportedRow[] {
  return Object.values(exported.interactions).map((entry) => {
    const tensors: TensorDict = Object.fromEntries(
      Object.entries(entry.tensor_dict).map(([name, { dtype, shape, data }]) => [
        name,
        tensorFromJson({ dtype: dtype.replace('torch.', ''), shape, data }),
      ]),
    );
    const dict = checkTrainingTensorDict(tensors);
    return {
      id: entry.interaction_id,
      parentId: entry.parent_id,
      reward: entry.reward,
      ids: [...dict.input_ids.data],
      mask: [...dict.loss_mask.data],
      logprobs: dict.logprobs.data,
      versions: [...dict.versions.data],
    };
  });
}

/** The same of a safetensors file, read after its description in docs/specs/rollout/training-export.md. */
export function readFileRows(bytes: Uint8Array): readonly ExportedRow[] {
  const { tensors, metadata } = readSafetensors(bytes);
  const names = JSON.parse(metadata.row_ids ?? '[]') as readonly string[];
  const numbers = (name: string): Tensor['data'] => {
    const tensor = tensors[name];
    if (tensor === undefined) throw new Error(`The file has no ${name}.`);
    return tensor.data;
  };
  const [offsets, starts, lengths] = [numbers('row_offsets'), numbers('span_starts'), numbers('span_lengths')];
  const [ids, given, spanVersions, rewards] = [
    numbers('input_ids'),
    numbers('logprobs'),
    numbers('span_versions'),
    numbers('rewards'),
  ];
  const mask = new Array<number>(ids.length).fill(0);
  const versions = new Array<number>(ids.length).fill(-1);
  const logprobs = new Float32Array(ids.length);
  let next = 0;
  for (const [span, start] of [...starts].entries()) {
    for (let at = start; at < start + (lengths[span] ?? 0); at += 1) {
      mask[at] = 1;
      versions[at] = spanVersions[span] ?? -1;
      logprobs[at] = given[next++] ?? Number.NaN;
    }
  }
  return names.map((id, row) => {
    const [from, to] = [offsets[row] ?? 0, offsets[row + 1] ?? 0];
    return {
      id,
      parentId: undefined,
      reward: rewards[row] ?? Number.NaN,
      ids: [...ids.slice(from, to)],
      mask: mask.slice(from, to),
      logprobs: logprobs.slice(from, to),
      versions: versions.slice(from, to),
    };
  });
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
