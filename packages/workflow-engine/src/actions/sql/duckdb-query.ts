import type { DuckDBValue, DuckDBValueConverter } from '@duckdb/node-api';
import { openRowFile } from './row-target';
import { RowWriter, type RowFormat } from './row-writer';

export interface DuckdbQuery {
  readonly kind: 'duckdb';
  readonly file: string;
  readonly isReadOnly: boolean;
  readonly query: string;
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly begin: 'BEGIN TRANSACTION' | undefined;
  readonly rows: RowFormat;
  readonly outputFile: string | undefined;
}

// Beyond this it uses files next to the database. A statement may change it.
const memoryLimit = '1GB';

/** Runs the statements, of which the rows of the last are written. */
export async function queryDuckdb(
  { file, isReadOnly, query, params, begin, rows: format, outputFile }: DuckdbQuery,
  print: (text: string) => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  // The server does without this package, since its native part is larger than the server.
  const { DuckDBInstance, JsonDuckDBValueConverter, DuckDBBlobValue } = await import('@duckdb/node-api');
  const toJson: DuckDBValueConverter<unknown> = (value, type, convert) => {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
    return JsonDuckDBValueConverter(value, type, convert as typeof JsonDuckDBValueConverter);
  };
  const instance = await DuckDBInstance.create(file, {
    memory_limit: memoryLimit,
    // Nothing is downloaded that a statement does not ask for by name.
    autoinstall_known_extensions: 'false',
    ...(isReadOnly ? { access_mode: 'READ_ONLY' } : {}),
  });
  const target = outputFile === undefined ? undefined : openRowFile(outputFile);
  try {
    const connection = await instance.connect();
    if (begin !== undefined) await connection.run(begin);
    const result = await connection.stream(query, bindable(params));
    const write: (text: string) => void | Promise<void> = target?.write ?? print;
    const writer = new RowWriter(format, write);
    await writer.begin(result.deduplicatedColumnNames());
    for await (const chunk of result.yieldConvertedRows(toJson)) {
      for (const row of chunk) await writer.row(row);
      if (writer.isCut) break;
    }
    if (begin !== undefined) await connection.run('COMMIT');
    const { rows, tail } = writer.end();
    if (tail !== '') await write(tail);
    target?.keep();
    return { rows };
  } finally {
    target?.discard();
  }
}

function bindable(params: DuckdbQuery['params']): DuckDBValue[] | Record<string, DuckDBValue> {
  if (Array.isArray(params)) return params.map(toValue);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toValue(value)]));
}

/** Whole numbers stay exact, lists and maps become JSON. */
function toValue(value: unknown): DuckDBValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) > 2_147_483_647 ? BigInt(value) : value;
  return JSON.stringify(value);
}
