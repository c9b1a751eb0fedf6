import { batchInvalid } from './batch-errors';

/** The lists of a batch that say which tokens belong to which row and span. */
export interface BatchTables {
  readonly offsets: Int32Array;
  readonly rewards: Float32Array;
  readonly originalRewards: Float32Array | undefined;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  readonly versions: Int32Array;
  readonly turns: Int32Array | undefined;
}

/** Rejects tables that contradict each other or the number of tokens and of log-probabilities. */
export function checkTables(
  tables: BatchTables,
  { tokens, trained }: { readonly tokens: number; readonly trained: number },
): void {
  checkRows(tables, tokens);
  checkSpans(tables, trained);
}

function checkRows({ offsets, rewards, originalRewards }: BatchTables, tokens: number): void {
  const isOrdered = offsets.every((offset, row) => (row === 0 ? offset === 0 : offset > at(offsets, row - 1)));
  if (offsets.length !== rewards.length + 1 || !isOrdered || at(offsets, offsets.length - 1) !== tokens) {
    throw batchInvalid('The offsets of the rows do not match the tokens and rewards.');
  }
  if (originalRewards !== undefined && originalRewards.length !== rewards.length) {
    throw batchInvalid('The batch does not have one original reward for each row.');
  }
}

/** Spans must be in order and disjoint, each within one row, with as many tokens as log-probabilities. */
function checkSpans({ offsets, starts, lengths, versions, turns }: BatchTables, trained: number): void {
  const count = starts.length;
  if (lengths.length !== count || versions.length !== count || (turns !== undefined && turns.length !== count)) {
    throw batchInvalid('The columns of the spans have different lengths.');
  }
  let row = 0;
  let covered = 0;
  let found = 0;
  for (let span = 0; span < count; span += 1) {
    const start = at(starts, span);
    const end = start + at(lengths, span);
    if (start < covered || end <= start) throw batchInvalid('The spans of the batch are not in order.');
    while (row + 1 < offsets.length && at(offsets, row + 1) <= start) row += 1;
    if (row + 1 >= offsets.length || end > at(offsets, row + 1)) throw batchInvalid('A span extends beyond its row.');
    covered = end;
    found += end - start;
  }
  if (found !== trained) throw batchInvalid('The spans do not match the log-probabilities.');
}

/** The index must be within the checked bounds. */
export const at = (list: Int32Array, index: number): number => list[index] ?? 0;
