import { keySpec } from '../shapes/object-kind';
import { anyMap, either, nonEmptyText, text } from '../shapes/shapes';
import { getKind } from '../yaml/yaml-value';
import { defineUnavailable } from './define-action';
import { duration } from './settings/duration-setting';
import { character, flag, listOfAny, texts, whole, word } from './settings/setting-shapes';

const dsn = keySpec('Where the database is', nonEmptyText, { required: true });
const timeout = keySpec('Seconds for the statement; 60 by default', duration);
const max_rows = keySpec('Most rows', whole(0));
const isolationLevels = ['default', 'read_uncommitted', 'read_committed', 'repeatable_read', 'serializable'] as const;

const queryKeys = {
  dsn,
  query: keySpec('The statement', nonEmptyText, { required: true }),
  params: keySpec(
    'Values of its placeholders, by place or by name',
    either((value) => getKind(value) === 'list', listOfAny('params'), anyMap),
  ),
  timeout,
  transaction: keySpec('All statements or none', flag),
  isolation_level: keySpec('How the transaction is kept apart from others', word(...isolationLevels)),
  output_format: keySpec('jsonl (default), json or csv', word('jsonl', 'json', 'csv')),
  headers: keySpec('A first row with the names of the columns', flag),
  max_rows,
  streaming: keySpec('Write rows as they come', flag),
  output_file: keySpec('File that the rows are written to', nonEmptyText),
  max_open_conns: keySpec('Most connections', whole(0)),
  max_idle_conns: keySpec('Most connections that are kept open', whole(0)),
  conn_max_lifetime: keySpec('How long a connection is used', duration),
} as const;

const importKeys = {
  dsn,
  input_file: keySpec('The file', nonEmptyText, { required: true }),
  table: keySpec('The table', nonEmptyText, { required: true }),
  format: keySpec('csv, tsv or jsonl; by default what the name of the file says', word('csv', 'tsv', 'jsonl')),
  has_header: keySpec('Whether the first row names the columns', flag),
  delimiter: keySpec('Character between two columns', character),
  columns: keySpec('Columns of the table, in the order of the file', texts('columns')),
  batch_size: keySpec('Rows of one statement; 1000 by default', whole(1, 100_000)),
  on_conflict: keySpec('error (default), ignore or replace', word('error', 'ignore', 'replace')),
  skip_rows: keySpec('Rows left out at the beginning', whole(0)),
  max_rows,
  dry_run: keySpec('Only check the file', flag),
  timeout,
} as const;

export const sqlActions = [
  defineUnavailable('postgres.query', {
    description: 'Runs a statement on PostgreSQL',
    keys: { ...queryKeys, advisory_lock: keySpec('Name of a lock held meanwhile', text) },
  }),
  defineUnavailable('sqlite.query', {
    description: 'Runs a statement on SQLite',
    keys: { ...queryKeys, file_lock: keySpec('Lock the file meanwhile', flag) },
  }),
  defineUnavailable('postgres.import', { description: 'Reads a file into a table of PostgreSQL', keys: importKeys }),
  defineUnavailable('sqlite.import', { description: 'Reads a file into a table of SQLite', keys: importKeys }),
] as const;
