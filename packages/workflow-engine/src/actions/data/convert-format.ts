import type { Options } from 'csv-stringify/sync';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import { asObject } from '@weir/foundation';
import { actionFailed } from '../../model/steps/action-errors';
import { isList } from '../../values/text/is-list';

export type DataFormat = 'json' | 'yaml' | 'csv' | 'tsv' | 'text';

export interface TableOptions {
  readonly has_header?: boolean;
  readonly headers?: readonly string[] | boolean;
  readonly delimiter?: string;
  readonly columns?: readonly string[];
}

/** The value that the text spells. The libraries are loaded on first use. */
export async function readFormat(text: string, format: DataFormat, options: TableOptions): Promise<JsonValue> {
  if (format === 'text') return text;
  try {
    if (format === 'json') return JSON.parse(text) as JsonValue;
    if (format === 'yaml') return toJson((await import('yaml')).parse(text, { maxAliasCount: 100 }));
  } catch (error) {
    throw notReadable(format, error);
  }
  return readTable(text, format, options);
}

export async function writeFormat(value: JsonValue, format: DataFormat, options: WriteOptions): Promise<string> {
  if (format === 'yaml') return (await import('yaml')).stringify(value);
  if (format === 'csv' || format === 'tsv') return writeTable(value, format, options);
  const isPlain = typeof value === 'string' && (format === 'text' || options.raw === true);
  return `${isPlain ? value : JSON.stringify(value)}\n`;
}

export interface WriteOptions extends TableOptions {
  readonly raw?: boolean;
}

async function readTable(text: string, format: 'csv' | 'tsv', options: TableOptions): Promise<JsonValue> {
  const { parse } = await import('csv-parse/sync');
  const { has_header: hasHeader = true, headers, delimiter = separator(format), columns } = options;
  let rows: readonly (readonly string[])[];
  try {
    rows = parse(text, { delimiter, bom: true, skip_empty_lines: true });
  } catch (error) {
    throw notReadable(format, error);
  }
  const names = isNames(headers) ? headers : hasHeader ? (rows[0] ?? []) : undefined;
  const records = hasHeader ? rows.slice(1) : rows;
  if (names === undefined) return records;
  return records.map((cells) => pickColumns(toRecord(names, cells), columns));
}

function toRecord(names: readonly string[], cells: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null]));
}

function pickColumns(row: JsonObject, columns: readonly string[] | undefined): JsonObject {
  return columns === undefined ? row : Object.fromEntries(columns.map((name) => [name, row[name] ?? null]));
}

async function writeTable(value: JsonValue, format: 'csv' | 'tsv', options: WriteOptions): Promise<string> {
  if (!isList(value)) throw actionFailed(`Only a list of rows can be written as ${format}.`);
  const { stringify } = await import('csv-stringify/sync');
  const { delimiter = separator(format), columns, headers = true } = options;
  const objects = value.map((row) => (isList(row) ? undefined : asObject(row)));
  const names = columns ?? [...new Set(objects.flatMap((row) => Object.keys(row ?? {})))];
  const rows = value.map((row, index) => {
    const object = objects[index];
    if (object !== undefined) return names.map((name) => toCell(object[name] ?? null));
    if (isList(row)) return row.map(toCell);
    throw actionFailed(`Row ${index + 1} is neither a list nor a map.`);
  });
  const head = isNames(headers) ? [[...headers]] : headers && names.length > 0 ? [[...names]] : [];
  const form: Options = { delimiter };
  return stringify([...head, ...rows], form);
}

function toCell(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function separator(format: 'csv' | 'tsv'): string {
  return format === 'tsv' ? '\t' : ',';
}

function isNames(headers: TableOptions['headers']): headers is readonly string[] {
  return typeof headers === 'object';
}

/** Dates, infinities and other values that only YAML has become what JSON makes of them. */
function toJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
}

function notReadable(format: string, cause: unknown) {
  return actionFailed(`The value is no ${format}.`, cause);
}
