import type { CopiedTable } from './copied-tables';
import type { Column, CopyStore, Progress, Row, Value } from './copy-store';

export interface CopyTableOptions {
  readonly source: CopyStore;
  readonly target: CopyStore;
  /** Identifies the source. */
  readonly instance: string;
  /** The progress of an earlier copy. */
  readonly begun: Progress | undefined;
  /** Called with the number of rows of each batch, once it is stored. */
  readonly onRows: (count: number) => void;
}

/** Copies the rows that the target lacks. Each batch is stored with the progress, so that nothing is copied twice. */
export async function copyTable(table: CopiedTable, options: CopyTableOptions): Promise<void> {
  const { source, target, instance, begun, onRows } = options;
  if (begun?.isDone === true) return;
  const columns = await source.columns(table);
  const place = { tableName: table.name, source: instance };
  const firstLevel = begun?.level ?? 0;
  const highest = await source.highestLevel(table);
  for (let level = firstLevel; level <= highest; level += 1) {
    const after = level === firstLevel ? begun?.lastKey : undefined;
    for await (const rows of readBatches(source, table, { after, level })) {
      const lastKey = keyOfLast(table, columns, rows);
      await target.write(table, rows, { ...place, level, lastKey, isDone: false });
      onRows(rows.length);
    }
  }
  await target.write(table, [], { ...place, level: highest, lastKey: [], isDone: true });
}

/** Yields all rows in the order of their keys in batches, if given only those behind a key and of one level. */
export async function* readBatches(
  store: CopyStore,
  table: CopiedTable,
  { after, level }: { readonly after?: readonly Value[] | undefined; readonly level?: number | undefined } = {},
): AsyncGenerator<readonly Row[]> {
  const columns = await store.columns(table);
  let last = after;
  for (;;) {
    const rows = await store.read(table, { after: last, level });
    if (rows.length > 0) yield rows;
    if (rows.length < table.batch) return;
    last = keyOfLast(table, columns, rows);
  }
}

function keyOfLast({ key }: CopiedTable, columns: readonly Column[], rows: readonly Row[]): readonly Value[] {
  const last = rows.at(-1);
  return key.map((column) => last?.[columns.findIndex(({ name }) => name === column)] ?? null);
}
