import { createTensor, type TrainingTensorDict } from '@weir/tensor-dict';
import { batchInvalid } from './batch-errors';
import { contextMark } from './training-row';

/** The lists of a batch. Only their dtypes are checked. */
export interface PackedRows {
  readonly ids: Int32Array;
  readonly logprobs: Float32Array;
  readonly offsets: Int32Array;
  readonly rewards: Float32Array;
  readonly originalRewards: Float32Array | undefined;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  readonly versions: Int32Array;
  readonly turns: Int32Array | undefined;
}

/** Returns the dictionary of each row. Rejects inconsistent lists first. Linear in the tokens. */
export function unpackRows(packed: PackedRows): readonly TrainingTensorDict[] {
  checkRows(packed);
  checkSpans(packed);
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
  for (; next.span < packed.starts.length && at(packed.starts, next.span) < end; next.span += 1) {
    const from = at(packed.starts, next.span) - begin;
    const count = at(packed.lengths, next.span);
    mask.fill(1, from, from + count);
    logprobs.set(packed.logprobs.subarray(next.logprob, next.logprob + count), from);
    versions.fill(at(packed.versions, next.span), from, from + count);
    turns?.fill(at(packed.turns ?? versions, next.span), from, from + count);
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
  };
}

function checkRows({ ids, offsets, rewards, originalRewards }: PackedRows): void {
  const isOrdered = offsets.every((offset, row) => (row === 0 ? offset === 0 : offset > at(offsets, row - 1)));
  if (offsets.length !== rewards.length + 1 || !isOrdered || at(offsets, offsets.length - 1) !== ids.length) {
    throw batchInvalid('The offsets of the rows do not match the tokens and rewards.');
  }
  if (originalRewards !== undefined && originalRewards.length !== rewards.length) {
    throw batchInvalid('The batch does not have one original reward for each row.');
  }
  if (ids.some((id) => id < 0)) throw batchInvalid('A token id of the batch is negative.');
}

/** Rejects values that an export never contains. */
function checkValues({ logprobs, rewards, originalRewards, turns }: PackedRows): void {
  const numbers = [logprobs, rewards, ...(originalRewards === undefined ? [] : [originalRewards])];
  if (numbers.some((list) => !list.every(Number.isFinite))) throw batchInvalid('A number of the batch is not finite.');
  if (turns?.some((turn) => turn < 0) === true) throw batchInvalid('A turn of the batch is negative.');
}

/** Spans must be in order and disjoint, each within one row, with as many tokens as log-probabilities. */
function checkSpans({ offsets, starts, lengths, versions, turns, logprobs }: PackedRows): void {
  const count = starts.length;
  if (lengths.length !== count || versions.length !== count || (turns !== undefined && turns.length !== count)) {
    throw batchInvalid('The columns of the spans have different lengths.');
  }
  let row = 0;
  let covered = 0;
  let trained = 0;
  for (let span = 0; span < count; span += 1) {
    const start = at(starts, span);
    const end = start + at(lengths, span);
    if (start < covered || end <= start) throw batchInvalid('The spans of the batch are not in order.');
    while (row + 1 < offsets.length && at(offsets, row + 1) <= start) row += 1;
    if (row + 1 >= offsets.length || end > at(offsets, row + 1)) throw batchInvalid('A span extends beyond its row.');
    covered = end;
    trained += end - start;
  }
  if (trained !== logprobs.length) throw batchInvalid('The spans do not match the log-probabilities.');
}

/** Only for indexes within the checked bounds. */
const at = (list: Int32Array, index: number): number => list[index] ?? 0;
