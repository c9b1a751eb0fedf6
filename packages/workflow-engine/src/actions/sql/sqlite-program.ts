// Executes one statement or import on a file of SQLite or DuckDB in a process of its own: the drivers run in the process,
// and only a process can be ended in the middle of a statement.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ImportProblem, readBatches, type ImportBatch, type ImportSource } from './import-rows';
import { queryDuckdb, type DuckdbQuery } from './duckdb-query';
import { useWorkbook, type XlsxRequest } from '../xlsx/xlsx-request';
import { openRowFile, type RowFile } from './row-target';
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

async function main(requestFile: string): Promise<void> {
  const request = JSON.parse(readFileSync(requestFile, 'utf8')) as
    SqliteQuery | SqliteImport | DuckdbQuery | XlsxRequest;
  const result = await answer(request);
  writeFileSync(`${requestFile}.result`, JSON.stringify(result));
}

function answer(request: SqliteQuery | SqliteImport | DuckdbQuery | XlsxRequest): Promise<object> {
  if (request.kind === 'xlsx') return useWorkbook(request, print);
  return request.kind === 'duckdb' ? queryDuckdb(request, print) : useSqlite(request);
}

async function useSqlite(request: SqliteQuery | SqliteImport): Promise<SqliteResult> {
  const db = new Database(request.file, { readonly: request.isReadOnly, timeout: request.busyMs });
  try {
    db.defaultSafeIntegers(true);
    return request.kind === 'query' ? await query(db, request) : await importRows(db, request);
  } finally {
    db.close();
  }
}

async function query(db: Db, request: SqliteQuery): Promise<SqliteResult> {
  const { begin, outputFile } = request;
  const target = outputFile === undefined ? undefined : openRowFile(outputFile);
  try {
    if (begin !== undefined) db.exec(begin);
    const result = await execute(db, request, target);
    if (begin !== undefined) db.exec('COMMIT');
    target?.keep();
    return result;
  } finally {
    target?.discard();
  }
}

async function execute(db: Db, request: SqliteQuery, target: RowFile | undefined): Promise<SqliteResult> {
  const statement = prepare(db, request);
  if (statement === undefined) {
    db.exec(request.query);
    return { rows: 0 };
  }
  const given = bindable(request.params);
  if (!statement.reader) return { rows: 0, changes: statement.run(...given).changes };
  const write: (text: string) => void | Promise<void> = target?.write ?? print;
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

async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** One transaction: an import that fails or is stopped leaves the table as it was. */
async function importRows(db: Db, request: SqliteImport): Promise<SqliteResult> {
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

main(process.argv[2] ?? '').catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ImportProblem ? 'input_file: ' : ''}${text}\n`);
  process.exitCode = 1;
});
