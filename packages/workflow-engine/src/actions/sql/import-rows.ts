import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';

export interface ImportSource {
  readonly file: string;
  readonly format: 'csv' | 'tsv' | 'jsonl';
  readonly hasHeader: boolean;
  readonly delimiter: string | undefined;
  /** The columns of the file are used when this is missing. */
  readonly columns: readonly string[] | undefined;
  readonly skipRows: number;
  readonly maxRows: number | undefined;
}

export interface ImportBatch {
  /** `undefined`: all columns of the table, in its order. */
  readonly columns: readonly string[] | undefined;
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** A problem of the file, in words that can be shown. */
export class ImportProblem extends Error {}

/** Most cells that one statement gets; PostgreSQL allows no more than 65,535. */
const maxCells = 32_000;

/** The rows of a file in batches, one of which is in memory at a time. */
export async function* readBatches(source: ImportSource, batchSize: number): AsyncGenerator<ImportBatch> {
  let columns: readonly string[] | undefined = source.columns;
  let rows: (readonly (string | number | null)[])[] = [];
  let count = 0;
  for await (const record of source.format === 'jsonl' ? readObjects(source, columns) : readCells(source)) {
    if (record.kind === 'columns') {
      columns ??= record.columns;
      continue;
    }
    if (columns !== undefined && record.cells.length !== columns.length) {
      throw new ImportProblem(`row ${count + 1} has ${record.cells.length} cells instead of ${columns.length}`);
    }
    rows.push(record.cells);
    count += 1;
    if (rows.length === batchSize || rows.length * record.cells.length >= maxCells) {
      yield { columns, rows };
      rows = [];
    }
    if (count === source.maxRows) break;
  }
  if (rows.length > 0) yield { columns, rows };
}

type ImportRecord =
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  | { readonly kind: 'row'; readonly cells: readonly (string | number | null)[] };

async function* readCells(source: ImportSource): AsyncGenerator<ImportRecord> {
  const { file, format, hasHeader, delimiter = format === 'tsv' ? '\t' : ',', skipRows } = source;
  const parser = parse({
    delimiter,
    bom: true,
    skip_empty_lines: true,
    from: skipRows + 1,
    relax_column_count: true,
    // An empty cell is no value; an empty string has quotes.
    cast: (text, { quoting }) => (text === '' && !quoting ? null : text),
  });
  const input = createReadStream(file);
  input.on('error', (error) => parser.destroy(error));
  input.pipe(parser);
  let isFirst = hasHeader;
  try {
    for await (const cells of parser as AsyncIterable<readonly (string | null)[]>) {
      yield isFirst ? { kind: 'columns', columns: cells.map((cell) => cell ?? '') } : { kind: 'row', cells };
      isFirst = false;
    }
  } finally {
    input.destroy();
  }
}

async function* readObjects(
  { file, skipRows }: ImportSource,
  given: readonly string[] | undefined,
): AsyncGenerator<ImportRecord> {
  const input = createReadStream(file, 'utf8');
  let columns = given;
  let at = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      at += 1;
      if (at <= skipRows || line.trim() === '') continue;
      const value = parseObject(line, at);
      if (columns === undefined) {
        columns = Object.keys(value);
        yield { kind: 'columns', columns };
      }
      yield { kind: 'row', cells: columns.map((name) => toCell(value[name])) };
    }
  } finally {
    input.destroy();
  }
}

function parseObject(line: string, at: number): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new ImportProblem(`line ${at} is not JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ImportProblem(`line ${at} is not an object`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function toCell(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return JSON.stringify(value);
}
