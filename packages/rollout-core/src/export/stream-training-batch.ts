import {
  createTensor,
  extraKeyNames,
  extraKeys,
  openSafetensors,
  type DType,
  type ExtraKey,
  type SafetensorsReader,
  type SafetensorsSource,
  type Tensor,
} from '@weir/tensor-dict';
import { batchInvalid } from './batch-errors';
import {
  checkExtraShape,
  checkFormat,
  checkPairs,
  checkTokens,
  float32,
  int32,
  parseRowIds,
  toReadLimits,
  toTables,
  type ExtraLists,
  type TrainingBatchLimits,
} from './batch-format';
import { at, checkTables, type BatchTables } from './batch-tables';
import type { BatchRow } from './training-batch';
import { unpackRows } from './unpack-rows';

/**
 * The rows of a file of `writeTrainingBatch`, one at a time: in memory are the tables and the tokens of one row. Fails
 * like `readTrainingBatch`; the tables are checked before the first row, the values of a row when it is read.
 */
export async function* streamTrainingBatch(
  source: SafetensorsSource,
  limits: TrainingBatchLimits = {},
): AsyncGenerator<BatchRow> {
  const reader = await openSafetensors(source, toReadLimits(limits));
  checkFormat(reader.metadata, Object.keys(reader.tensors));
  const tokens = countElements(reader, 'input_ids');
  checkTokens(tokens, limits);
  const tables = await readTables(reader);
  const trained = countElements(reader, 'logprobs');
  checkTables(tables, { tokens, trained });
  checkPairs((key) => reader.tensors[key] !== undefined);
  for (const key of extraKeyNames) {
    const tensor = reader.tensors[key];
    if (tensor !== undefined) checkExtraShape(key, tensor, { tokens, trained });
  }
  const ids = parseRowIds(reader.metadata.row_ids ?? '');
  if (ids.length !== tables.rewards.length) throw batchInvalid('The batch does not have one id for each row.');
  const next = { span: 0, logprob: 0 };
  for (const [row, id] of ids.entries()) yield { id, dict: await readRow(reader, tables, row, next) };
}

function countElements(reader: SafetensorsReader, name: string): number {
  const shape = reader.tensors[name]?.shape;
  if (shape?.length !== 1) throw batchInvalid(`The batch has no list "${name}".`);
  return shape[0] ?? 0;
}

async function readTables(reader: SafetensorsReader): Promise<BatchTables> {
  const read = new Map<string, Tensor>();
  for (const [name, { shape }] of Object.entries(reader.tensors)) {
    if (name === 'input_ids' || name === 'logprobs' || isExtraKey(name)) continue;
    if (shape.length !== 1) throw batchInvalid(`The batch has no list "${name}".`);
    read.set(name, await reader.read(name));
  }
  return toTables((name) => read.get(name));
}

const isExtraKey = (name: string): name is ExtraKey => extraKeyNames.some((key) => key === name);

type Range = readonly [begin: number, end: number];

/** The lists of one row: by its range among trained tokens, or among all. */
async function readExtra(reader: SafetensorsReader, ranges: Record<'trained' | 'all', Range>): Promise<ExtraLists> {
  const lists: Partial<Record<ExtraKey, Tensor>> = {};
  for (const key of extraKeyNames) {
    const axes = reader.tensors[key]?.shape.slice(1);
    if (axes === undefined) continue;
    const [begin, end] = ranges[extraKeys[key].scope];
    const width = axes.reduce((product, size) => product * size, 1);
    const { dtype, data } = await reader.read(key, begin * width, end * width);
    lists[key] = createTensor<DType>(dtype, [end - begin, ...axes], data);
  }
  return lists;
}

/** Reads the row as a batch of its own. */
async function readRow(
  reader: SafetensorsReader,
  { offsets, rewards, originalRewards, starts, lengths, versions, turns }: BatchTables,
  row: number,
  next: { span: number; logprob: number },
): Promise<BatchRow['dict']> {
  const [begin, end] = [at(offsets, row), at(offsets, row + 1)];
  const [firstSpan, firstLogprob] = [next.span, next.logprob];
  for (; next.span < starts.length && at(starts, next.span) < end; next.span += 1) {
    next.logprob += at(lengths, next.span);
  }
  const ids = await reader.read('input_ids', begin, end);
  const logprobs = await reader.read('logprobs', firstLogprob, next.logprob);
  const extra = await readExtra(reader, { trained: [firstLogprob, next.logprob], all: [begin, end] });
  const [dict] = unpackRows({
    extra,
    ids: int32(() => ids, 'input_ids'),
    logprobs: float32(() => logprobs, 'logprobs'),
    offsets: Int32Array.of(0, end - begin),
    rewards: rewards.slice(row, row + 1),
    originalRewards: originalRewards?.slice(row, row + 1),
    starts: starts.slice(firstSpan, next.span).map((start) => start - begin),
    lengths: lengths.slice(firstSpan, next.span),
    versions: versions.slice(firstSpan, next.span),
    turns: turns?.slice(firstSpan, next.span),
  });
  if (dict === undefined) throw batchInvalid('The offsets of the rows do not match the tokens and rewards.');
  return dict;
}
