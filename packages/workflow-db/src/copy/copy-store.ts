import type { CopiedTable } from './copied-tables';

/**
 * Values in the form of SQLite: moments as text, `2026-01-02T03:04:05.678+00:00`, JSON as its text, and booleans as 0
 * and 1.
 */
export type Value = string | number | null;

/** The values of a row in the order of the columns. */
export type Row = readonly Value[];

export interface Column {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'real' | 'boolean' | 'moment' | 'json';
}

/** The progress of the copy of a table. */
export interface Progress {
  readonly tableName: string;
  /** Identifies the database that is copied. */
  readonly source: string;
  readonly level: number;
  /** The key of the last row that was copied. */
  readonly lastKey: readonly Value[];
  readonly isDone: boolean;
}

export interface ReadOptions {
  /** Selects only rows behind this key. */
  readonly after: readonly Value[] | undefined;
  /** Selects only rows of this level. */
  readonly level: number | undefined;
}

/** Access to a database for a copy. It bypasses Prisma, which takes ten times as long for a row. */
export interface CopyStore {
  /** The columns in the order of their names, which both databases share. */
  readonly columns: (table: CopiedTable) => Promise<readonly Column[]>;
  /** Reads the next batch, in the order of the key. */
  readonly read: (table: CopiedTable, options: ReadOptions) => Promise<readonly Row[]>;
  /** Stores rows and how far the copy has come by them, in one transaction. */
  readonly write: (table: CopiedTable, rows: readonly Row[], progress: Progress) => Promise<void>;
  readonly isEmpty: (table: CopiedTable) => Promise<boolean>;
  /** 0 for a table without rows. */
  readonly highestLevel: (table: CopiedTable) => Promise<number>;
  readonly progress: () => Promise<readonly Progress[]>;
  readonly clearProgress: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A column with the type that the database declares. */
export interface NamedType {
  readonly name: string;
  readonly type: string;
}

/** Throws for a type that is in no table so far. */
export function toColumns(
  columns: readonly NamedType[],
  kinds: Readonly<Record<string, Column['kind']>>,
): readonly Column[] {
  const kindOf = (type: string): Column['kind'] => {
    const kind = kinds[type];
    if (kind === undefined) throw new Error(`The copy of a database does not know columns of type ${type}.`);
    return kind;
  };
  return columns.map(({ name, type }) => ({ name, kind: kindOf(type) })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const quoted = (name: string): string => `"${name}"`;
export const quotedList = (names: readonly string[]): string => names.map(quoted).join();

/** The end of a query for a batch. `parameter` names the value at an index, counted from 1. */
export function batchClause(
  { key, level: levelColumn, batch }: CopiedTable,
  { after, level }: ReadOptions,
  parameter: (index: number) => string,
): { readonly text: string; readonly values: readonly Value[] } {
  const values: Value[] = [];
  const add = (value: Value): string => parameter(values.push(value));
  const conditions = [
    ...(after === undefined ? [] : [`(${quotedList(key)}) > (${after.map(add).join()})`]),
    ...(levelColumn === undefined || level === undefined ? [] : [`${quoted(levelColumn)} = ${add(level)}`]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return { text: `${where} ORDER BY ${quotedList(key)} LIMIT ${batch}`, values };
}
