import {
  createTensor,
  extraKeyNames,
  extraKeys,
  type DType,
  type Tensor,
  type TrainingTensorDict,
  zeros,
} from '@weir/tensor-dict';
import { batchInvalid } from './batch-errors';
import type { ExtraLists } from './batch-format';
import { at, checkTables, type BatchTables } from './batch-tables';
import { contextMark } from './training-row';

/** The lists of a batch. Only their dtypes are checked. */
export interface PackedRows extends BatchTables {
  readonly ids: Int32Array;
  readonly logprobs: Float32Array;
  readonly extra: ExtraLists;
}

/** Returns the dictionary of each row. Rejects inconsistent lists first. Linear in the tokens. */
export function unpackRows(packed: PackedRows): readonly TrainingTensorDict[] {
  checkTables(packed, { tokens: packed.ids.length, trained: packed.logprobs.length });
  checkValues(packed);
  const next = { span: 0, logprob: 0 };
  return Array.from(packed.rewards, (_reward, row) => unpackRow(packed, row, next));
}

/** The positions in the lists of trained tokens. */
interface Next {
  span: number;
  logprob: number;
}

function unpackRow(packed: PackedRows, row: number, next: Next): TrainingTensorDict {
  const begin = at(packed.offsets, row);
  const end = at(packed.offsets, row + 1);
  const length = end - begin;
  const mask = new Int32Array(length);
  const logprobs = new Float32Array(length);
  const versions = new Int32Array(length).fill(contextMark);
  const turns = packed.turns === undefined ? undefined : new Int32Array(length).fill(contextMark);
  const extra = openExtra(packed.extra, { begin, end });
  for (; next.span < packed.starts.length && at(packed.starts, next.span) < end; next.span += 1) {
    const from = at(packed.starts, next.span) - begin;
    const count = at(packed.lengths, next.span);
    mask.fill(1, from, from + count);
    logprobs.set(packed.logprobs.subarray(next.logprob, next.logprob + count), from);
    versions.fill(at(packed.versions, next.span), from, from + count);
    turns?.fill(at(packed.turns ?? versions, next.span), from, from + count);
    for (const one of extra) one.copy(next.logprob, { from, count });
    next.logprob += count;
  }
  const shape = [1, length];
  const { originalRewards } = packed;
  return {
    input_ids: createTensor('int32', shape, packed.ids.slice(begin, end)),
    loss_mask: createTensor('int32', shape, mask),
    logprobs: createTensor('float32', shape, logprobs),
    versions: createTensor('int32', shape, versions),
    attention_mask: createTensor('bool', shape, new Uint8Array(length).fill(1)),
    rewards: createTensor('float32', [1], packed.rewards.slice(row, row + 1)),
    ...(turns === undefined ? {} : { turn_ids: createTensor('int32', shape, turns) }),
    ...(originalRewards === undefined
      ? {}
      : { original_rewards: createTensor('float32', [1], originalRewards.slice(row, row + 1)) }),
    ...Object.fromEntries(extra.map(({ key, tensor }) => [key, tensor])),
  };
}

/** The further tensors of a row, neutral where nothing is copied. */
function openExtra(lists: ExtraLists, { begin, end }: { readonly begin: number; readonly end: number }) {
  const length = end - begin;
  return extraKeyNames.flatMap((key) => {
    const list = lists[key];
    if (list === undefined) return [];
    const axes = list.shape.slice(1);
    const width = axes.reduce((product, size) => product * size, 1);
    const { fill, dtype, scope } = extraKeys[key];
    const { data } = zeros<DType>(dtype, [1, length, ...axes]);
    data.fill(fill);
    const tensor: Tensor = createTensor<DType>(dtype, [1, length, ...axes], data);
    if (scope === 'all') data.set(list.data.subarray(begin * width, end * width));
    const copy = (source: number, { from, count }: { from: number; count: number }): void => {
      if (scope === 'trained') data.set(list.data.subarray(source * width, (source + count) * width), from * width);
    };
    return [{ key, tensor, copy }];
  });
}

/** Rejects values that an export never contains. */
function checkValues({ ids, logprobs, rewards, originalRewards, turns }: PackedRows): void {
  if (ids.some((id) => id < 0)) throw batchInvalid('A token id of the batch is negative.');
  const numbers = [logprobs, rewards, ...(originalRewards === undefined ? [] : [originalRewards])];
  if (numbers.some((list) => !list.every(Number.isFinite))) throw batchInvalid('A number of the batch is not finite.');
  if (turns?.some((turn) => turn < 0) === true) throw batchInvalid('A turn of the batch is negative.');
}
