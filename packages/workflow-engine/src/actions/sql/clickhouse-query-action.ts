import { randomUUID } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import { isAppError } from '@weir/foundation';
import type { ActionExecutor } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';
import { actionPath } from '../../host/files/action-paths';
import { namingSetting } from '../../host/files/file-errors';
import type { ActionLog } from '../../host/logs/action-log';
import { durationMs } from '../../values/text/duration';
import { publishValues } from '../call/publish-values';
import { openRowFile, type RowFile } from './row-target';
import type { RowWriter } from './row-writer';

const defaultTimeoutMs = 60_000;
const killMs = 5_000;
const maxRowBytes = 16_777_216;
/** Each row is a list in a line of its own, after the list of the names. */
const rowFormat = 'JSONCompactEachRowWithNames';

/** Runs a statement over HTTP. Rows are passed on as they arrive. */
export const clickhouseQuery: ActionExecutor<'clickhouse.query'> = async ({ call, settings, signal, log }) => {
  const { output_file: outputFile } = settings;
  const timeoutMs = durationMs('timeout', settings.timeout, defaultTimeoutMs);
  const limit = AbortSignal.timeout(timeoutMs);
  const { RowWriter: Writer } = await import('./row-writer.js');
  const client = await connect(settings.dsn);
  let file: RowFile | undefined;
  try {
    if (outputFile !== undefined) {
      file = await namingSetting('output_file', () => Promise.resolve(openRowFile(actionPath(call, outputFile))));
    }
    const write = file?.write ?? ((text: string) => log.out(text));
    const writer = new Writer(
      {
        format: settings.output_format ?? 'jsonl',
        headers: settings.headers === true,
        maxRows: settings.max_rows === 0 ? undefined : settings.max_rows,
      },
      write,
    );
    await execute(client, settings, { writer, log, signal: AbortSignal.any([signal, limit]) });
    const { rows, isCut, tail } = writer.end();
    if (tail !== '') write(tail);
    if (isCut) log.note(`The rows after the first ${rows} were left out.`);
    file?.keep();
    return publishValues({ rows }, call.maxOutputBytes);
  } catch (error) {
    if (limit.aborted && !signal.aborted) throw actionFailed(`There was no end within ${timeoutMs / 1_000} seconds.`);
    throw signal.aborted ? error : toFailure(error, log);
  } finally {
    file?.discard();
    await client.close();
  }
};

async function connect(dsn: string): Promise<ClickHouseClient> {
  const url = URL.parse(dsn);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '') {
    throw actionFailed('dsn is no address such as https://user:password@host:8443/database.');
  }
  // Loaded on first use: most servers never open a connection.
  const { createClient, ClickHouseLogLevel } = await import('@clickhouse/client');
  return createClient({
    url: `${url.protocol}//${url.host}`,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || 'default',
    // The time limit of the step is the only one.
    request_timeout: 2_147_483_647,
    max_open_connections: 2,
    keep_alive: { enabled: false },
    log: { level: ClickHouseLogLevel.OFF },
  });
}

interface Execution {
  readonly writer: RowWriter;
  readonly log: ActionLog;
  readonly signal: AbortSignal;
}

async function execute(
  client: ClickHouseClient,
  { query, params = {} }: SettingsFor<'clickhouse.query'>,
  { writer, log, signal }: Execution,
): Promise<void> {
  const queryId = randomUUID();
  let isEnded = false;
  try {
    const { stream, response_headers: headers } = await client.exec({
      query,
      query_params: params,
      query_id: queryId,
      abort_signal: signal,
      use_multipart_params_auto: true,
      // A parameter of the request and no setting, so that users who may only read can use it.
      http_headers: { 'X-ClickHouse-Format': rowFormat },
    });
    // The client watches the signal only until the response begins.
    addAbortSignal(signal, stream);
    const format = headers['x-clickhouse-format'];
    if (format !== undefined && format !== rowFormat) throw actionFailed('query must not have a FORMAT.');
    let isNames = true;
    for await (const line of readLines(stream)) {
      const values = parseRow(line, log);
      if (isNames) void writer.begin(values.map(String));
      else void writer.row(values);
      // One more row than the maximum tells that some are left out.
      if (!isNames && writer.isCut) return;
      isNames = false;
    }
    signal.throwIfAborted();
    isEnded = true;
  } catch (error) {
    // What the server refused does not run.
    isEnded = !signal.aborted && !isAppError(error);
    throw error;
  } finally {
    if (!isEnded) await kill(client, queryId);
  }
}

/** Sent over another connection, because the server continues a statement whose client is gone. */
async function kill(client: ClickHouseClient, queryId: string): Promise<void> {
  try {
    await client.command({
      query: 'KILL QUERY WHERE query_id = {id:String} ASYNC',
      query_params: { id: queryId },
      abort_signal: AbortSignal.timeout(killMs),
    });
  } catch {
    // A user who may not end statements leaves that to the limits of the server.
  }
}

async function* readLines(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    let chunk = Buffer.from(part);
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a)) {
      yield Buffer.concat([...rest, chunk.subarray(0, end)]).toString('utf8');
      rest = [];
      bytes = 0;
      chunk = chunk.subarray(end + 1);
    }
    rest.push(chunk);
    bytes += chunk.length;
    if (bytes > maxRowBytes) throw actionFailed(`A row is longer than ${maxRowBytes} bytes.`);
  }
  if (bytes > 0) yield Buffer.concat(rest).toString('utf8');
}

function parseRow(line: string, log: ActionLog): readonly unknown[] {
  try {
    const row: unknown = JSON.parse(line, keepExact);
    if (Array.isArray(row)) return row as unknown[];
  } catch {
    // Not a row: the server ends a failed answer with its message.
  }
  log.note(line);
  throw actionFailed('The database failed while it sent the rows.');
}

/** Numbers with more digits than JavaScript keeps stay as the database writes them. */
function keepExact(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  const digits = context.source.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  const isExact = Number.isInteger(value)
    ? Number.isSafeInteger(value) || /e/i.test(context.source)
    : digits.length <= 17;
  return isExact ? value : context.source;
}

/** What the server says may quote values, so it goes to the log, where secrets are masked. */
function toFailure(error: unknown, log: ActionLog): unknown {
  if (isAppError(error)) return error;
  const code = errorCode(error);
  if (code !== undefined && /^\d+$/.test(code)) {
    if (error instanceof Error) log.note(error.message);
    return actionFailed(`The database refused this (code ${code}).`, error);
  }
  return actionFailed(
    `The database cannot be reached, or the connection was lost${code === undefined ? '' : ` (${code})`}.`,
    error,
  );
}
