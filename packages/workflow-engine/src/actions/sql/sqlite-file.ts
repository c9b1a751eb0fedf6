import Database from 'better-sqlite3';
import { readBatches, type ImportBatch, type ImportSource } from './import-rows';
import { openRowFile } from './row-target';
import { RowWriter, type RowFormat } from './row-writer';

export interface SqliteTarget {
  readonly file: string;
  readonly isReadOnly: boolean;
  readonly busyMs: number;
}

export interface SqliteQuery extends SqliteTarget {
  readonly kind: 'query';
  readonly query: string;
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly begin: 'BEGIN EXCLUSIVE' | 'BEGIN IMMEDIATE' | undefined;
  readonly rows: RowFormat;
  readonly outputFile: string | undefined;
}

export interface SqliteImport extends SqliteTarget {
  readonly kind: 'import';
  readonly source: ImportSource;
  readonly table: string;
  readonly batchSize: number;
  readonly onConflict: 'error' | 'ignore' | 'replace';
  readonly isDryRun: boolean;
}

export type SqliteResult = Readonly<Record<string, number>>;

type Db = Database.Database;

type Print = (text: string) => Promise<void>;

/** Executes a statement or an import in this process, which only its end can interrupt. */
export async function useSqlite(request: SqliteQuery | SqliteImport, print: Print): Promise<SqliteResult> {
  const db = new Database(request.file, { readonly: request.isReadOnly, timeout: request.busyMs });
  try {
    db.defaultSafeIntegers(true);
    return request.kind === 'query' ? await query(db, request, print) : await importRows(db, request, print);
  } finally {
    db.close();
  }
}

async function query(db: Db, request: SqliteQuery, print: Print): Promise<SqliteResult> {
  const { begin, outputFile } = request;
  const target = outputFile === undefined ? undefined : openRowFile(outputFile);
  const write: (text: string) => void | Promise<void> = target?.write ?? print;
  try {
    if (begin !== undefined) db.exec(begin);
    const result = await execute(db, request, write);
    if (begin !== undefined) db.exec('COMMIT');
    target?.keep();
    return result;
  } finally {
    target?.discard();
  }
}

async function execute(
  db: Db,
  request: SqliteQuery,
  write: (text: string) => void | Promise<void>,
): Promise<SqliteResult> {
  const statement = prepare(db, request);
  if (statement === undefined) {
    db.exec(request.query);
    return { rows: 0 };
  }
  const given = bindable(request.params);
  if (!statement.reader) return { rows: 0, changes: statement.run(...given).changes };
  const writer = new RowWriter(request.rows, write);
  await writer.begin(statement.columns().map(({ name }) => name));
  for (const row of statement.raw().iterate(...given) as IterableIterator<unknown[]>) {
    await writer.row(row);
    if (writer.isFull) break;
  }
  const { rows, tail } = writer.end();
  await write(tail);
  return { rows };
}

/** `undefined` for several statements, which the driver does not prepare. */
function prepare(db: Db, { query: text, params }: SqliteQuery): Database.Statement | undefined {
  try {
    return db.prepare(text);
  } catch (error) {
    if (!(error instanceof RangeError) || Object.keys(params).length > 0) throw error;
    return undefined;
  }
}

function bindable(params: SqliteQuery['params']): unknown[] {
  if (Array.isArray(params)) return params.map(toValue);
  const entries = Object.entries(params);
  return entries.length === 0 ? [] : [Object.fromEntries(entries.map(([name, value]) => [name, toValue(value)]))];
}

function toValue(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** One transaction: an import that fails or is stopped leaves the table as it was. */
async function importRows(db: Db, request: SqliteImport, print: Print): Promise<SqliteResult> {
  let read = 0;
  let imported = 0;
  db.exec('BEGIN IMMEDIATE');
  for await (const batch of readBatches(request.source, request.batchSize)) {
    read += batch.rows.length;
    if (!request.isDryRun) imported += insert(db, request, batch);
  }
  db.exec('COMMIT');
  const result = { read, imported, skipped: request.isDryRun ? 0 : read - imported };
  await print(`${JSON.stringify(result)}\n`);
  return result;
}

const verbs = { error: 'INSERT', ignore: 'INSERT OR IGNORE', replace: 'INSERT OR REPLACE' } as const;

function insert(db: Db, { table, onConflict }: SqliteImport, { columns, rows }: ImportBatch): number {
  const names = columns === undefined ? '' : ` (${columns.map(quoteName).join(', ')})`;
  const places = (rows[0] ?? []).map(() => '?').join(', ');
  const place = table.split('.').map(quoteName).join('.');
  const statement = db.prepare(`${verbs[onConflict]} INTO ${place}${names} VALUES (${places})`);
  return rows.reduce((sum, cells) => sum + statement.run(...cells).changes, 0);
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
