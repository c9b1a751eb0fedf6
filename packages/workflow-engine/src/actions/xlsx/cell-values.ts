import type { Cell, CellValue } from 'exceljs';
import type { JsonValue } from '@weir/workflow-spec';

export interface CellReading {
  readonly formulas: 'cached' | 'text';
  readonly isTrimmed: boolean;
}

/** The value of a cell: dates and times as ISO text, errors and empty cells as null. */
export function cellValue(cell: Cell, { formulas, isTrimmed }: CellReading, warn: (text: string) => void): JsonValue {
  const at = `${cell.worksheet.name}!${cell.address}`;
  const read = (value: CellValue): JsonValue => {
    if (value === null || value === undefined) return null;
    if (value instanceof Date) return dateText(value, cell.numFmt);
    if (typeof value !== 'object') return typeof value === 'string' && isTrimmed ? value.trim() : value;
    if ('error' in value) {
      warn(`${at}: error cell ${value.error}`);
      return null;
    }
    if ('richText' in value) return read(value.richText.map(({ text }) => text).join(''));
    if ('hyperlink' in value) return read(value.text);
    if ('formula' in value || 'sharedFormula' in value) {
      if (formulas === 'text') return `=${cell.formula}`;
      if (value.result === undefined) warn(`${at}: formula has no stored value`);
      return read(value.result);
    }
    return String(value);
  };
  return read(cell.value);
}

/** As text of a table or a header. */
export function valueText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A stored formula, whatever its result is. */
export function hasFormula({ value }: Cell): boolean {
  return typeof value === 'object' && value !== null && ('formula' in value || 'sharedFormula' in value);
}

/** A format of dates alone, of times alone, or of both. The text in quotes and brackets is none of its letters. */
function dateText(date: Date, format: string | undefined): string {
  const letters = formatLetters(format);
  const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
  const hasTime = /[hs]/.test(letters);
  if (hasTime && !/[yd]/.test(letters)) return time;
  return hasTime || time !== '00:00:00' ? `${day}T${time}` : day;
}

function formatLetters(format: string | undefined): string {
  return (format ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '').toLowerCase();
}

export const valueTypes = ['string', 'number', 'integer', 'boolean', 'date', 'datetime'] as const;
export type ValueType = (typeof valueTypes)[number];

/** The value as one of the type; `undefined` when it is none. Empty cells stay empty. */
export function convertValue(value: JsonValue, type: ValueType): JsonValue | undefined {
  if (value === null) return null;
  const text = valueText(value).trim();
  switch (type) {
    case 'string':
      return valueText(value);
    case 'number':
    case 'integer': {
      const number = text === '' || typeof value === 'boolean' ? Number.NaN : Number(text);
      return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? number : undefined;
    }
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
    case 'date':
      return parseDate(text) === undefined ? undefined : text.slice(0, 10);
    case 'datetime':
      return parseDate(text) === undefined ? undefined : text.includes('T') ? text : `${text}T00:00:00`;
  }
}

const isoDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z?)?$/;

/** Writes a value by its type; ISO dates become dates, with a format unless the cell has one for dates. */
export function setCell(cell: Cell, value: JsonValue | undefined): void {
  const date = typeof value === 'string' ? parseDate(value) : undefined;
  if (date === undefined) {
    cell.value = typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
    return;
  }
  cell.value = date;
  if (/[yd]/.test(formatLetters(cell.numFmt))) return;
  cell.numFmt = valueText(value ?? null).includes('T') ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd';
}

/** `undefined` for other texts, and for days that no calendar has. */
function parseDate(text: string): Date | undefined {
  if (!isoDate.test(text)) return undefined;
  const date = new Date(text.includes('T') ? `${text.replace(/Z$/, '')}Z` : `${text}T00:00:00Z`);
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
  return isReal ? date : undefined;
}
