import {
  checkTrainingTensorDict,
  createTensor,
  extraKeyNames,
  extraKeys,
  type DType,
  type ExtraKey,
  type Shape,
  type Tensor,
  type TensorDict,
  type TrainingTensorDict,
  zeros,
} from '@weir/tensor-dict';
import { batchInvalid } from './batch-errors';
import { contextMark } from './training-row';

/** The maximum number of tokens whose positions fit an int32. */
const maxBatchTokens = 2 ** 31 - 1;

/** Consecutive trained tokens of one version and one interaction. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Concatenates rows. Linear in the tokens. */
export function packRows(dicts: readonly TrainingTensorDict[]): TensorDict {
  for (const dict of dicts) checkRow(dict);
  const hasTurns = allOrNone(dicts, 'turn_ids');
  const hasOriginals = allOrNone(dicts, 'original_rewards');
  const offsets = rowOffsets(dicts);
  const ids = new Int32Array(offsets.at(-1) ?? 0);
  const logprobs = new Float32Array(ids.length);
  const spans = { starts: [] as number[], lengths: [] as number[], versions: [] as number[], turns: [] as number[] };
  let trained = 0;
  dicts.forEach((dict, row) => {
    const offset = offsets[row] ?? 0;
    ids.set(dict.input_ids.data, offset);
    for (const { from, to } of findTrainedSpans(dict)) {
      logprobs.set(dict.logprobs.data.subarray(from, to), trained);
      trained += to - from;
      spans.starts.push(offset + from);
      spans.lengths.push(to - from);
      spans.versions.push(dict.versions.data[from] ?? contextMark);
      spans.turns.push(dict.turn_ids?.data[from] ?? contextMark);
    }
  });
  return {
    input_ids: list(ids),
    logprobs: numbers(logprobs.slice(0, trained)),
    row_offsets: list(offsets),
    span_starts: list(Int32Array.from(spans.starts)),
    span_lengths: list(Int32Array.from(spans.lengths)),
    span_versions: list(Int32Array.from(spans.versions)),
    ...(hasTurns ? { span_turns: list(Int32Array.from(spans.turns)) } : {}),
    rewards: numbers(Float32Array.from(dicts, (dict) => dict.rewards.data[0] ?? 0)),
    ...(hasOriginals
      ? { original_rewards: numbers(Float32Array.from(dicts, (dict) => dict.original_rewards?.data[0] ?? 0)) }
      : {}),
    ...Object.fromEntries(extraKeyNames.flatMap((key) => packExtra(dicts, key, trained))),
  };
}

/**
 * The values of trained tokens, in order: `[trained, …]` with the axes that all rows have. Keys that are not only about
 * trained tokens have those of all tokens.
 */
function packExtra(dicts: readonly TrainingTensorDict[], key: ExtraKey, trained: number): [string, Tensor][] {
  if (!allOrNone(dicts, key)) return [];
  const axes = dicts[0]?.[key]?.shape.slice(2) ?? [];
  const { dtype, scope } = extraKeys[key];
  const width = axes.reduce((product, size) => product * size, 1);
  const count = scope === 'trained' ? trained : dicts.reduce((sum, dict) => sum + dict.input_ids.data.length, 0);
  const { data } = zeros<DType>(dtype, [count, ...axes]);
  let done = 0;
  for (const dict of dicts) {
    const tensor = dict[key];
    if (tensor === undefined || !isEqualShape(tensor.shape.slice(2), axes)) {
      throw batchInvalid(`The rows have "${key}" with different numbers of entries.`);
    }
    const spans = scope === 'trained' ? findTrainedSpans(dict) : [{ from: 0, to: dict.input_ids.data.length }];
    for (const { from, to } of spans) {
      data.set(tensor.data.subarray(from * width, to * width), done * width);
      done += to - from;
    }
  }
  return [[key, createTensor<DType>(dtype, [count, ...axes], data)]];
}

const isEqualShape = (left: Shape, right: Shape): boolean =>
  left.length === right.length && left.every((size, axis) => size === right[axis]);

const list = (data: Int32Array) => createTensor('int32', [data.length], data);
const numbers = (data: Float32Array) => createTensor('float32', [data.length], data);

/** Rejects rows that the layout cannot represent, so that reading returns the same bits. */
function checkRow(dict: TrainingTensorDict): void {
  checkTrainingTensorDict(dict);
  if (dict.input_ids.shape[0] !== 1) throw batchInvalid('A dictionary does not have exactly one row.');
  if (!isContextNeutral(dict)) {
    throw batchInvalid('A token that is not trained has a log-probability, a version or a turn.');
  }
}

/** A plain loop: rows have millions of tokens, and a callback for each would dominate the cost. */
function isContextNeutral(dict: TrainingTensorDict): boolean {
  const [mask, logprobs, versions] = [dict.loss_mask.data, dict.logprobs.data, dict.versions.data];
  const turns = dict.turn_ids?.data;
  for (let at = 0; at < mask.length; at += 1) {
    if (mask[at] === 1) continue;
    if (!Object.is(logprobs[at], 0) || versions[at] !== contextMark) return false;
    if (turns !== undefined && turns[at] !== contextMark) return false;
  }
  return true;
}

function allOrNone(dicts: readonly TrainingTensorDict[], key: 'turn_ids' | 'original_rewards' | ExtraKey): boolean {
  const count = dicts.filter((dict) => dict[key] !== undefined).length;
  if (count !== 0 && count !== dicts.length) throw batchInvalid(`Only some of the rows have "${key}".`);
  return count > 0;
}

function rowOffsets(dicts: readonly TrainingTensorDict[]): Int32Array {
  const offsets = new Int32Array(dicts.length + 1);
  let end = 0;
  dicts.forEach((dict, row) => {
    end += dict.input_ids.data.length;
    if (end > maxBatchTokens) throw batchInvalid(`A batch has at most ${maxBatchTokens} tokens.`);
    offsets[row + 1] = end;
  });
  return offsets;
}

function* findTrainedSpans(dict: TrainingTensorDict): Generator<Span> {
  const mask = dict.loss_mask.data;
  const versions = dict.versions.data;
  const turns = dict.turn_ids?.data;
  for (let from = mask.indexOf(1); from >= 0; from = mask.indexOf(1, from)) {
    let to = from + 1;
    while (mask[to] === 1 && versions[to] === versions[from] && turns?.[to] === turns?.[from]) to += 1;
    yield { from, to };
    from = to;
  }
}
