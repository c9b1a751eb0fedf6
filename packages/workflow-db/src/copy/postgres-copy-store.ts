import { Client } from 'pg';
import { databaseUnreachable } from '../database-errors';
import type { CopiedTable } from './copied-tables';
import {
  batchClause,
  quoted,
  quotedList,
  toColumns,
  type Column,
  type CopyStore,
  type NamedType,
  type Progress,
  type Row,
  type Value,
} from './copy-store';

/** The application name of the connections of a copy. */
export const copyName = 'weir copy';

const kinds: Readonly<Record<string, Column['kind']>> = {
  text: 'text',
  integer: 'integer',
  'double precision': 'real',
  boolean: 'boolean',
  'timestamp without time zone': 'moment',
  jsonb: 'json',
};

const arrayTypes: Readonly<Record<Column['kind'], string>> = {
  text: 'text[]',
  integer: 'integer[]',
  real: 'double precision[]',
  boolean: 'boolean[]',
  moment: 'timestamp[]',
  json: 'jsonb[]',
};

export async function connectForCopy(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000, application_name: copyName });
  // A lost connection also rejects the query in progress, which handles it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    throw databaseUnreachable(cause);
  }
}

export async function openPostgresCopyStore(url: string): Promise<CopyStore> {
  const client = await connectForCopy(url);
  const known = new Map<string, readonly Column[]>();
  const columnsOf = async (table: CopiedTable): Promise<readonly Column[]> => {
    const found = known.get(table.name) ?? (await readColumns(client, table));
    known.set(table.name, found);
    return found;
  };
  return {
    columns: columnsOf,
    read: async (table, options) => {
      const selected = (await columnsOf(table)).map(selectedAsText).join();
      const { text, values } = batchClause(table, options, (index) => `$${index}`);
      const { rows } = await client.query<Value[]>({
        text: `SELECT ${selected} FROM ${quoted(table.name)} ${text}`,
        values: [...values],
        rowMode: 'array',
      });
      return rows;
    },
    write: async (table, rows, progress) => {
      const columns = await columnsOf(table);
      await client.query('BEGIN');
      try {
        await insertRows(client, table, columns, rows);
        await storeProgress(client, progress);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    },
    isEmpty: async (table) => (await client.query(`SELECT 1 FROM ${quoted(table.name)} LIMIT 1`)).rowCount === 0,
    highestLevel: async ({ name, level }) => {
      if (level === undefined) return 0;
      const { rows } = await client.query<{ highest: number | null }>(
        `SELECT max(${quoted(level)}) AS highest FROM ${quoted(name)}`,
      );
      return rows[0]?.highest ?? 0;
    },
    progress: async () => (await client.query<Progress>('SELECT * FROM "StoreCopy"')).rows,
    clearProgress: async () => {
      await client.query('DELETE FROM "StoreCopy"');
    },
    close: () => client.end(),
  };
}

async function readColumns(client: Client, { name: table }: CopiedTable): Promise<readonly Column[]> {
  const { rows } = await client.query<NamedType>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1`,
    [table],
  );
  return toColumns(rows, kinds);
}

function selectedAsText({ name, kind }: Column): string {
  const column = quoted(name);
  if (kind === 'moment') return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`;
  if (kind === 'json') return `${column}::text`;
  return kind === 'boolean' ? `${column}::integer` : column;
}

/** One array for each column, so that a statement has few parameters, however many rows there are. */
async function insertRows(
  client: Client,
  { name: table }: CopiedTable,
  columns: readonly Column[],
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const arrays = columns.map(({ kind }, index) => rows.map((row) => toPostgres(row[index] ?? null, kind)));
  const names = quotedList(columns.map(({ name }) => name));
  const parameters = columns.map(({ kind }, index) => `$${index + 1}::${arrayTypes[kind]}`);
  await client.query(`INSERT INTO ${quoted(table)} (${names}) SELECT * FROM unnest(${parameters.join()})`, arrays);
}

const toPostgres = (value: Value, kind: Column['kind']): Value | boolean =>
  kind === 'boolean' && value !== null ? value === 1 : value;

async function storeProgress(client: Client, progress: Progress): Promise<void> {
  const { tableName, source, level, lastKey, isDone } = progress;
  await client.query(
    `INSERT INTO "StoreCopy" ("tableName", "source", "level", "lastKey", "isDone") VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ("tableName") DO UPDATE SET "level" = $3, "lastKey" = $4, "isDone" = $5`,
    [tableName, source, level, JSON.stringify(lastKey), isDone],
  );
}
