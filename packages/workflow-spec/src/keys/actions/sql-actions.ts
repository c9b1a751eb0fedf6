import type { JsonObject } from '../../model/json';
import { keySpec } from '../../shapes/object-kind';
import { anyMap, either, nonEmptyText, text } from '../../shapes/shapes';
import { getKind } from '../../source/yaml/yaml-value';
import { defineAction } from './define-action';
import { duration } from '../../shapes/settings/duration-setting';
import { character, flag, listOfAny, texts, whole, word } from '../../shapes/settings/setting-shapes';

const dsn = keySpec('Connection string of the database', nonEmptyText, { required: true });
const timeout = keySpec('Timeout of the statement in seconds; 60 by default', duration);
const max_rows = keySpec('Maximum number of rows', whole(0));
const isolationLevels = ['default', 'read_uncommitted', 'read_committed', 'repeatable_read', 'serializable'] as const;

const queryKeys = {
  dsn,
  query: keySpec('The statement', nonEmptyText, { required: true }),
  params: keySpec(
    'Values of the placeholders, by position or by name',
    either((value) => getKind(value) === 'list', listOfAny('params'), anyMap),
  ),
  timeout,
  transaction: keySpec('Execute all statements in one transaction', flag),
  isolation_level: keySpec('Isolation level of the transaction', word(...isolationLevels)),
  output_format: keySpec('jsonl (default), json or csv', word('jsonl', 'json', 'csv')),
  headers: keySpec('Write a header row with the names of the columns', flag),
  max_rows,
  streaming: keySpec('Write rows while they arrive', flag),
  output_file: keySpec('File to which the rows are written', nonEmptyText),
  max_open_conns: keySpec('Maximum number of connections', whole(0)),
  max_idle_conns: keySpec('Maximum number of idle connections', whole(0)),
  conn_max_lifetime: keySpec('Maximum lifetime of a connection', duration),
} as const;

const importKeys = {
  dsn,
  input_file: keySpec('The file', nonEmptyText, { required: true }),
  table: keySpec('The table', nonEmptyText, { required: true }),
  format: keySpec('csv, tsv or jsonl; by default derived from the file name', word('csv', 'tsv', 'jsonl')),
  has_header: keySpec('Whether the first row names the columns', flag),
  delimiter: keySpec('Column separator, one character', character),
  columns: keySpec('Columns of the table, in the order of the file', texts('columns')),
  batch_size: keySpec('Rows per statement; 1000 by default', whole(1, 100_000)),
  on_conflict: keySpec('error (default), ignore or replace', word('error', 'ignore', 'replace')),
  skip_rows: keySpec('Number of rows to skip at the beginning', whole(0)),
  max_rows,
  dry_run: keySpec('Only validate the file', flag),
  timeout,
} as const;

const rowKeys = {
  timeout,
  output_format: queryKeys.output_format,
  headers: queryKeys.headers,
  max_rows,
  output_file: queryKeys.output_file,
} as const;

const inProcess = { execution: 'in-process', restart: false } as const;
// The driver is synchronous, and only a process can be ended in the middle of a statement.
const byProcess = { execution: 'process', restart: false } as const;

/** Importing the same rows again changes nothing more. */
const isRepeatable = ({ on_conflict: kind, dry_run: isDry }: JsonObject): boolean =>
  kind === 'ignore' || kind === 'replace' || isDry === true;

export const sqlActions = [
  defineAction('postgres.query', {
    description: 'Runs a statement on PostgreSQL',
    ...inProcess,
    references: { query: 'program' },
    keys: { ...queryKeys, advisory_lock: keySpec('Name of a lock that is held during the statement', text) },
  }),
  defineAction('sqlite.query', {
    description: 'Runs a statement on SQLite',
    ...byProcess,
    references: { query: 'program' },
    keys: { ...queryKeys, file_lock: keySpec('Lock the file during the statement', flag) },
  }),
  defineAction('clickhouse.query', {
    description: 'Runs a statement on ClickHouse',
    ...inProcess,
    references: { query: 'program' },
    keys: {
      dsn: keySpec('Address of the HTTP interface: https://user:password@host:8443/database', nonEmptyText, {
        required: true,
      }),
      query: queryKeys.query,
      params: keySpec('Values of the placeholders such as {id:UInt64}, by name', anyMap),
      ...rowKeys,
    },
  }),
  defineAction('duckdb.query', {
    description: 'Runs a statement on DuckDB, which is installed separately',
    ...byProcess,
    references: { query: 'program' },
    keys: {
      dsn: keySpec('Path of the database; by default it is in memory', nonEmptyText),
      query: queryKeys.query,
      params: queryKeys.params,
      transaction: queryKeys.transaction,
      ...rowKeys,
    },
  }),
  defineAction('postgres.import', {
    description: 'Imports a file into a table of PostgreSQL',
    ...inProcess,
    restart: isRepeatable,
    keys: importKeys,
  }),
  defineAction('sqlite.import', {
    description: 'Imports a file into a table of SQLite',
    ...byProcess,
    restart: isRepeatable,
    keys: importKeys,
  }),
] as const;
