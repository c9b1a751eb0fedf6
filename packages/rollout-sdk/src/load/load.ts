import { readTrainingBatch } from '@weir/rollout-core';
import {
  checkTrainingTensorDict,
  padAndConcatenate,
  tensorDictFromJson,
  type PadOptions,
  type TrainingTensorDict,
} from '@weir/tensor-dict';
import type { Exported } from './exported';

export interface LoadedRow {
  readonly id: string;
  /** The tensors of one row: token keys are `[1, length]`, `rewards` is `[1]`. */
  readonly tensors: TrainingTensorDict;
}

export interface LoadedBatch {
  readonly rows: readonly LoadedRow[];
  /** All rows padded to one length. `undefined` if there are none. */
  readonly batch: TrainingTensorDict | undefined;
}

/** One or more exports as tensors. Fails for what may not be trained on. */
export function load(exports: Exported | readonly Exported[], options: PadOptions = {}): LoadedBatch {
  const rows = (isMany(exports) ? exports : [exports]).flatMap(loadRows);
  const batch =
    rows.length === 0
      ? undefined
      : padAndConcatenate(
          rows.map(({ tensors }) => tensors),
          options,
        );
  return { rows, batch };
}

/** The rows of one export. */
export function loadRows(exported: Exported): readonly LoadedRow[] {
  if (exported instanceof Uint8Array) return readTrainingBatch(exported).map(({ id, dict }) => ({ id, tensors: dict }));
  if (!('interactions' in exported)) return Array.from(exported, ([id, { tensors }]) => ({ id, tensors }));
  return Object.entries(exported.interactions).map(([id, { tensor_dict: tensors }]) => {
    const plain = Object.entries(tensors).map(([name, { dtype, shape, data }]) => [
      name,
      { dtype: dtype.replace('torch.', ''), shape, data },
    ]);
    return { id, tensors: checkTrainingTensorDict(tensorDictFromJson(Object.fromEntries(plain))) };
  });
}

function isMany(exports: Exported | readonly Exported[]): exports is readonly Exported[] {
  return Array.isArray(exports);
}
