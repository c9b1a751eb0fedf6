import type { Client, FieldDef } from 'pg';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionExecutor } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { durationMs } from '../../values/text/duration';
import { namingSetting } from '../../host/files/file-errors';
import { isList } from '../../values/text/is-list';
import { publishValues } from '../call/publish-values';
import { toPositional, type PositionalQuery } from './named-placeholders';
import { withPostgres } from './postgres-session';
import { openRowFile, type RowFile } from './row-target';

type Settings = SettingsFor<'postgres.query'>;

const defaultTimeoutMs = 60_000;

export const postgresQuery: ActionExecutor<'postgres.query'> = async ({ call, settings, signal, log }) => {
  const { output_file: outputFile } = settings;
  const query = toQuery(settings);
  // Loaded on first use, with the library that writes csv.
  const { RowWriter } = await import('./row-writer.js');
  let file: RowFile | undefined;
  try {
    if (outputFile !== undefined) {
      file = await namingSetting('output_file', () => Promise.resolve(openRowFile(actionPath(call, outputFile))));
    }
    const write = file?.write ?? ((text: string) => log.out(text));
    const writer = new RowWriter(
      {
        format: settings.output_format ?? 'jsonl',
        headers: settings.headers === true,
        maxRows: settings.max_rows === 0 ? undefined : settings.max_rows,
      },
      write,
    );
    const timeoutMs = durationMs('timeout', settings.timeout, defaultTimeoutMs);
    await withPostgres({ dsn: settings.dsn, timeoutMs, signal, log }, (client) =>
      inTransaction(client, settings, () =>
        execute(client, query, { begin: (c) => void writer.begin(c), row: (v) => void writer.row(v) }),
      ),
    );
    const { rows, isCut, tail } = writer.end();
    if (tail !== '') write(tail);
    if (isCut) log.note(`The rows after the first ${rows} were left out.`);
    file?.keep();
    return publishValues({ rows }, call.maxOutputBytes);
  } finally {
    file?.discard();
  }
};

function toQuery({ query, params }: Settings): PositionalQuery {
  if (params === undefined) return { text: query, values: [] };
  if (isList(params)) return { text: query, values: params };
  return toPositional(query, params);
}

/** With the lock held, and in a transaction if the settings ask for one. */
async function inTransaction(client: Client, settings: Settings, work: () => Promise<void>): Promise<void> {
  const { advisory_lock: lock, transaction, isolation_level: level = 'default' } = settings;
  // Released by the end of the connection.
  if (lock !== undefined) await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [lock]);
  if (transaction !== true && level === 'default') return work();
  const isolation = level === 'default' ? '' : ` ISOLATION LEVEL ${level.replace('_', ' ').toUpperCase()}`;
  await client.query(`BEGIN${isolation}`);
  await work();
  await client.query('COMMIT');
  return undefined;
}

interface RowListener {
  readonly begin: (columns: readonly string[]) => void;
  readonly row: (values: readonly unknown[]) => void;
}

/** Rows are passed on as they arrive. Without values the text may hold several statements. */
async function execute(client: Client, { text, values }: PositionalQuery, listener: RowListener): Promise<void> {
  const { default: pg } = await import('pg');
  await new Promise<void>((resolve, reject) => {
    const config = {
      text,
      rowMode: 'array' as const,
      ...(values.length === 0 ? {} : { values: values.map(toParameter) }),
    };
    const query = client.query(new pg.Query<unknown[]>(config));
    let current: object | undefined;
    query.on('row', (row, result) => {
      try {
        if (result !== undefined && current !== result) {
          current = result;
          listener.begin((result.fields as readonly FieldDef[]).map(({ name }) => name));
        }
        listener.row(row);
      } catch (error) {
        reject(actionFailed('The rows cannot be written.', error));
      }
    });
    query.on('error', reject);
    query.on('end', () => resolve());
  });
}

function toParameter(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
