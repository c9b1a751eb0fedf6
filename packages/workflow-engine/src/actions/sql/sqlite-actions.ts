import { createRequire } from 'node:module';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { durationMs } from '../../values/text/duration';
import { runFileProgram } from '../call/run-file-program';
import type { DuckdbQuery } from './duckdb-query';
import { importSource } from './import-source';
import type { SqliteImport, SqliteQuery, SqliteTarget } from './sqlite-file';

type Work = ActionWork<'sqlite.query' | 'sqlite.import' | 'duckdb.query'>;

const defaultTimeoutMs = 60_000;
const defaultBatch = 1_000;

export const sqliteQuery: ActionExecutor<'sqlite.query'> = (work) => {
  const { call, settings } = work;
  const { file_lock: hasLock, transaction, isolation_level: level, output_file: outputFile } = settings;
  const isTransaction = transaction === true || (level !== undefined && level !== 'default');
  return execute(work, {
    kind: 'query',
    query: settings.query,
    params: settings.params ?? [],
    begin: hasLock === true ? 'BEGIN EXCLUSIVE' : isTransaction ? 'BEGIN IMMEDIATE' : undefined,
    rows: {
      format: settings.output_format ?? 'jsonl',
      headers: settings.headers === true,
      maxRows: settings.max_rows === 0 ? undefined : settings.max_rows,
    },
    outputFile: outputFile === undefined ? undefined : actionPath(call, outputFile),
  });
};

export const sqliteImport: ActionExecutor<'sqlite.import'> = async (work) => {
  const { call, settings } = work;
  return execute(work, {
    kind: 'import',
    source: await importSource(call, settings),
    table: settings.table,
    batchSize: settings.batch_size ?? defaultBatch,
    onConflict: settings.on_conflict ?? 'error',
    isDryRun: settings.dry_run === true,
  });
};

/** Its native part is larger than the server, so that only those who use it install it. */
const duckdbPackage = '@duckdb/node-api';

export const duckdbQuery: ActionExecutor<'duckdb.query'> = (work) => {
  const { call, settings, services } = work;
  const { output_file: outputFile, transaction } = settings;
  requirePackage(services.fileProgram, duckdbPackage);
  return execute(work, {
    kind: 'duckdb',
    query: settings.query,
    params: settings.params ?? [],
    begin: transaction === true ? 'BEGIN TRANSACTION' : undefined,
    rows: {
      format: settings.output_format ?? 'jsonl',
      headers: settings.headers === true,
      maxRows: settings.max_rows === 0 ? undefined : settings.max_rows,
    },
    outputFile: outputFile === undefined ? undefined : actionPath(call, outputFile),
  });
};

/** Looks where the program itself will. */
function requirePackage(program: string | undefined, name: string): void {
  if (program === undefined) return;
  try {
    createRequire(program).resolve(name);
  } catch (error) {
    throw actionFailed(`DuckDB is not installed with this server: npm install ${name}, next to it.`, error);
  }
}

type Request =
  | Omit<SqliteQuery, keyof SqliteTarget>
  | Omit<SqliteImport, keyof SqliteTarget>
  | Omit<DuckdbQuery, keyof SqliteTarget>;

function execute(work: Work, request: Request): Promise<StepOutcome> {
  const timeoutMs = durationMs('timeout', work.settings.timeout, defaultTimeoutMs);
  const target: SqliteTarget = { ...parseDsn(work), busyMs: timeoutMs };
  return runFileProgram(work, { ...request, ...target }, timeoutMs);
}

/** A path, or `file:` or `sqlite:` with a path and `?mode=ro`. */
function parseDsn({ call, settings }: Work): Pick<SqliteTarget, 'file' | 'isReadOnly'> {
  const [place = '', query = ''] = (settings.dsn ?? ':memory:')
    .replace(/^(?:file|sqlite3?|duckdb):(?:\/\/(?=\/))?/, '')
    .split('?');
  if (place === ':memory:') return { file: place, isReadOnly: false };
  const options = [...new URLSearchParams(query)];
  const unknown = options.find(([name, value]) => name !== 'mode' || !['ro', 'rw', 'rwc'].includes(value));
  if (place === '' || unknown !== undefined) throw actionFailed('dsn is no path of a file with at most mode=ro.');
  return { file: actionPath(call, place), isReadOnly: options.some(([, value]) => value === 'ro') };
}
