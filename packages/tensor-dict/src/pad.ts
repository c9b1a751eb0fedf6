import { dtypeInfo, type DType } from './dtype';
import { concatenate } from './concatenate';
import { elementsPerToken, extraKeyNames, extraKeys } from './extra-keys';
import { sameShape } from './shape';
import { trustedTensor, type Tensor, type TypedTensor } from './tensor';
import { tensorFailure } from './tensor-errors';
import { checkTrainingTensorDict, paddingVersion, type TrainingTensorDict } from './training-dict';

export interface PadOptions {
  /** The side of the padding. Default `right`. */
  readonly side?: 'right' | 'left';
  /** `input_ids` of the padding. Any int32. Default 0. */
  readonly padTokenId?: number;
  /** The length of the rows in tokens, at least that of the longest dictionary, which is the default. */
  readonly length?: number;
  /** The most elements (rows times length) a token key of the result may have. Default 268435456, 1 GiB of int32. */
  readonly maxElements?: number;
}

/**
 * One batch of all rows, in order, padded to one length. Padding is `padTokenId` in `input_ids`, 0 in `loss_mask`
 * and `logprobs`, -1 in `versions` and `turn_ids`, and false in `attention_mask`; further keys get their neutral value,
 * also where a dictionary has fewer entries for a token than another. Dictionaries may already be padded on the same
 * side; their padding is not changed.
 *
 * Fails with `training_dict_invalid` for a dictionary that is none or is padded on the other side,
 * `tensors_not_compatible` for no dictionaries, an optional key that only some of them have, a length below the
 * longest or a pad id that is no int32, and
 * `tensors_too_large` (`payload_too_large`) before anything is allocated.
 */
export function padAndConcatenate(dicts: readonly TrainingTensorDict[], options: PadOptions = {}): TrainingTensorDict {
  const { side = 'right', padTokenId = 0 } = options;
  const checked = dicts.map((dict) => checkTrainingTensorDict(dict, { padding: side }));
  const length = paddedLength(checked, options);
  if ((padTokenId | 0) !== padTokenId) {
    throw tensorFailure('tensors_not_compatible', 'The pad token id is not a 32-bit integer.');
  }
  const pad = <D extends DType>(pick: (dict: TrainingTensorDict) => Tensor<D>, fill: number): Tensor<D> =>
    padRows(checked.map(pick), { length, side, fill });
  const padExtra = (key: (typeof extraKeyNames)[number]) => {
    const tensors = ofAllOrNone(checked, key);
    return tensors === undefined ? [] : [[key, padRows<DType>(tensors, { length, side, fill: extraKeys[key].fill })]];
  };
  const turnIds = ofAllOrNone(checked, 'turn_ids');
  const originalRewards = ofAllOrNone(checked, 'original_rewards');
  return {
    input_ids: pad((dict) => dict.input_ids, padTokenId),
    loss_mask: pad((dict) => dict.loss_mask, 0),
    logprobs: pad((dict) => dict.logprobs, 0),
    versions: pad((dict) => dict.versions, paddingVersion),
    attention_mask: pad((dict) => dict.attention_mask, 0),
    rewards: concatenate(checked.map((dict) => dict.rewards)),
    ...(turnIds === undefined ? {} : { turn_ids: padRows(turnIds, { length, side, fill: paddingVersion }) }),
    ...(originalRewards === undefined ? {} : { original_rewards: concatenate(originalRewards) }),
    ...(Object.fromEntries(extraKeyNames.flatMap(padExtra)) as Partial<TrainingTensorDict>),
  };
}

function ofAllOrNone<K extends 'turn_ids' | 'original_rewards' | (typeof extraKeyNames)[number]>(
  dicts: readonly TrainingTensorDict[],
  key: K,
): readonly NonNullable<TrainingTensorDict[K]>[] | undefined {
  const tensors = dicts.flatMap((dict) => dict[key] ?? []);
  if (tensors.length === 0) return undefined;
  if (tensors.length === dicts.length) return tensors;
  throw tensorFailure('tensors_not_compatible', `Only some of the dictionaries have "${key}".`);
}

function paddedLength(dicts: readonly TrainingTensorDict[], options: PadOptions): number {
  const { maxElements = 268_435_456 } = options;
  const longest = dicts.reduce((most, dict) => Math.max(most, getRowLength(dict.input_ids)), 0);
  const length = options.length ?? longest;
  if (dicts.length === 0) throw tensorFailure('tensors_not_compatible', 'There are no dictionaries to pad.');
  if (!Number.isSafeInteger(length) || length < longest) {
    throw tensorFailure('tensors_not_compatible', 'The length to pad to is less than the longest row.', {
      length,
      longest,
    });
  }
  const rows = dicts.reduce((sum, dict) => sum + getRowCount(dict.input_ids), 0);
  const entries = dicts.reduce((most, dict) => {
    return extraKeyNames.reduce((max, key) => Math.max(max, elementsPerToken(dict[key]?.shape ?? [])), most);
  }, 1);
  if (!(rows * length * entries <= maxElements)) {
    throw tensorFailure('tensors_too_large', `A key of the batch would have more than ${maxElements} elements.`, {
      rows,
      length,
      entries,
    });
  }
  return length;
}

interface RowPadding {
  readonly length: number;
  readonly side: 'right' | 'left';
  readonly fill: number;
}

function padRows<D extends DType>(tensors: readonly Tensor<D>[], { length, side, fill }: RowPadding): Tensor<D> {
  const parts: readonly TypedTensor<DType>[] = tensors;
  const dtype = parts[0]?.dtype ?? 'int32';
  const rows = parts.reduce((sum, part) => sum + getRowCount(part), 0);
  const entries = parts.reduce((most, part) => Math.max(most, elementsPerToken(part.shape)), 1);
  const [axes = []] = parts.map(({ shape }) => shape.slice(2)).sort((left, right) => (right[0] ?? 1) - (left[0] ?? 1));
  if (axes.length > 1 && parts.some(({ shape }) => !sameShape(shape.slice(2), axes))) {
    throw tensorFailure('tensors_not_compatible', 'Tensors differ in an axis that is not padded.');
  }
  const data = dtypeInfo[dtype].create(rows * length * entries).fill(fill);
  let target = 0;
  for (const part of parts) {
    const width = getRowLength(part);
    const shift = side === 'left' ? length - width : 0;
    for (let row = 0; row < getRowCount(part); row += 1) {
      copyTokens(part, { from: row * width, count: width }, { data, entries, at: target * length + shift });
      target += 1;
    }
  }
  // All parts come from the same key, so from the same dtype.
  return trustedTensor(dtype, [rows, length, ...axes], data) as Tensor<D>;
}

interface CopyTarget {
  readonly data: TypedTensor<DType>['data'];
  readonly entries: number;
  /** The token to begin at. */
  readonly at: number;
}

function copyTokens(part: TypedTensor<DType>, { from, count }: { from: number; count: number }, to: CopyTarget): void {
  const own = elementsPerToken(part.shape);
  if (own === to.entries) {
    to.data.set(part.data.subarray(from * own, (from + count) * own), to.at * own);
    return;
  }
  for (let token = 0; token < count; token += 1) {
    const first = (from + token) * own;
    to.data.set(part.data.subarray(first, first + own), (to.at + token) * to.entries);
  }
}

const getRowCount = (tensor: TypedTensor<DType>): number => tensor.shape[0] ?? 0;
const getRowLength = (tensor: TypedTensor<DType>): number => tensor.shape[1] ?? 0;
