import { createHash } from 'node:crypto';
import type { CopiedTable } from './copied-tables';
import type { Column, CopyStore, Row } from './copy-store';
import { readBatches } from './copy-table';

export interface TableChecksum {
  readonly rows: number;
  /** 32 hexadecimal digits. Independent of the order of rows, which differs between databases. */
  readonly checksum: string;
}

const modulus = 1n << 128n;

/** Reads all rows of a table. */
export async function checksumOf(store: CopyStore, table: CopiedTable): Promise<TableChecksum> {
  const columns = await store.columns(table);
  const names = columns.map(({ name }) => name).join();
  let rows = 0;
  let sum = 0n;
  for await (const batch of readBatches(store, table)) {
    rows += batch.length;
    for (const row of batch) sum = (sum + digestOf(names, columns, row)) % modulus;
  }
  return { rows, checksum: sum.toString(16).padStart(32, '0') };
}

function digestOf(names: string, columns: readonly Column[], row: Row): bigint {
  const values = columns.map(({ kind }, index) => {
    const value = row[index] ?? null;
    return kind === 'json' && typeof value === 'string' ? [sorted(JSON.parse(value))] : value;
  });
  const digest = createHash('sha256').update(names).update(JSON.stringify(values)).digest();
  return (digest.readBigUInt64BE(0) << 64n) | digest.readBigUInt64BE(8);
}

/** Sorts the keys of objects, whose order PostgreSQL does not keep. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
