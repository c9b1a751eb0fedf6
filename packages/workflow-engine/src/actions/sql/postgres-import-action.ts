import type { Client } from 'pg';
import type { ActionExecutor } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { durationMs } from '../../values/text/duration';
import { publishValues } from '../call/publish-values';
import type { ImportBatch } from './import-rows';
import { importSource } from './import-source';
import { withPostgres } from './postgres-session';

const defaultTimeoutMs = 60_000;
const defaultBatch = 1_000;

/** One transaction: an import that fails or is stopped leaves the table as it was. */
export const postgresImport: ActionExecutor<'postgres.import'> = async ({ call, settings, signal, log }) => {
  const source = await importSource(call, settings);
  const { ImportProblem, readBatches } = await import('./import-rows.js');
  const { batch_size: batchSize = defaultBatch, on_conflict: onConflict = 'error', dry_run: isDryRun } = settings;
  const timeoutMs = durationMs('timeout', settings.timeout, defaultTimeoutMs);
  const table = quoteTable(settings.table);
  const result = { read: 0, imported: 0, skipped: 0 };
  try {
    await withPostgres({ dsn: settings.dsn, timeoutMs, signal, log }, async (client) => {
      await client.query('BEGIN');
      const conflict = await conflictClause(client, table, onConflict);
      for await (const batch of readBatches(source, batchSize)) {
        signal.throwIfAborted();
        result.read += batch.rows.length;
        if (isDryRun !== true) result.imported += await insert(client, table, batch, conflict);
      }
      await client.query('COMMIT');
    });
  } catch (error) {
    throw error instanceof ImportProblem ? actionFailed(`input_file: ${error.message}.`, error) : error;
  }
  if (isDryRun !== true) result.skipped = result.read - result.imported;
  log.line(JSON.stringify(result));
  return publishValues(result, call.maxOutputBytes);
};

interface Conflict {
  /** The columns of the primary key, for `replace` only. */
  readonly keys: readonly string[];
  readonly clause: (columns: readonly string[]) => string;
}

async function conflictClause(client: Client, table: string, kind: 'error' | 'ignore' | 'replace'): Promise<Conflict> {
  if (kind !== 'replace') {
    const text = kind === 'ignore' ? ' ON CONFLICT DO NOTHING' : '';
    return { keys: [], clause: () => text };
  }
  const { rows } = await client.query<{ attname: string }>(
    `SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
     WHERE i.indrelid = $1::regclass AND i.indisprimary`,
    [table],
  );
  const keys = rows.map(({ attname }) => attname);
  if (keys.length === 0) throw actionFailed('on_conflict: replace needs a primary key of the table.');
  const clause = (columns: readonly string[]): string => {
    const changed = columns
      .filter((name) => !keys.includes(name))
      .map((name) => `${quote(name)} = excluded.${quote(name)}`);
    const action = changed.length === 0 ? 'NOTHING' : `UPDATE SET ${changed.join(', ')}`;
    return ` ON CONFLICT (${keys.map(quote).join(', ')}) DO ${action}`;
  };
  return { keys, clause };
}

async function insert(client: Client, table: string, batch: ImportBatch, conflict: Conflict): Promise<number> {
  const { columns } = batch;
  if (columns === undefined && conflict.keys.length > 0) {
    throw actionFailed('on_conflict: replace needs columns, or a file that names them.');
  }
  const rows = lastOfEachKey(batch, conflict.keys);
  const names = columns === undefined ? '' : ` (${columns.map(quote).join(', ')})`;
  let position = 0;
  const places = rows.map((cells) => `(${cells.map(() => `$${(position += 1)}`).join(', ')})`).join(', ');
  const text = `INSERT INTO ${table}${names} VALUES ${places}${conflict.clause(columns ?? [])}`;
  const { rowCount } = await client.query(text, rows.flat());
  // Rows that replace each other within the batch were imported, too.
  return (rowCount ?? 0) + (batch.rows.length - rows.length);
}

/** One statement cannot replace the same row twice. */
function lastOfEachKey({ columns = [], rows }: ImportBatch, keys: readonly string[]): ImportBatch['rows'] {
  const indexes = keys.map((key) => columns.indexOf(key));
  if (keys.length === 0 || indexes.includes(-1)) return rows;
  return [...new Map(rows.map((cells) => [JSON.stringify(indexes.map((index) => cells[index])), cells])).values()];
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteTable(table: string): string {
  return table.split('.').map(quote).join('.');
}
