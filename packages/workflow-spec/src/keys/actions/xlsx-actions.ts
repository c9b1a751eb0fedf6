import { keySpec } from '../../shapes/object-kind';
import { anyJson, nonEmptyText } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { duration } from '../../shapes/settings/duration-setting';
import { character, flag, texts, whole, word } from '../../shapes/settings/setting-shapes';

const path = keySpec('The workbook: a file that ends with .xlsx or .xlsm', nonEmptyText, { required: true });
const timeout = keySpec('Timeout in seconds; 120 by default', duration);
const sheet = keySpec('Name of the sheet; the first one by default', nonEmptyText);

const readKeys = {
  path,
  sheet,
  range: keySpec('Cells such as A2:F200, A2:F, A:F or Sheet1!A1:C3; by default all with values', nonEmptyText),
  header: keySpec('Whether the first row names the columns; true by default', flag),
  columns: keySpec('Columns to keep, in this order; "Invoice No: number" renames one', texts('columns')),
  trim: keySpec('Remove white space around texts', flag),
  formulas: keySpec('cached (default): the stored value; text: the formula', word('cached', 'text')),
  timeout,
} as const;

const writeKeys = {
  path,
  sheet,
  rows: keySpec('List of maps or lists, or a reference to one', anyJson, { required: true }),
  columns: keySpec('Names of the columns, in their order', texts('columns')),
  header: keySpec('Whether an empty sheet gets a row of names; true by default', flag),
  dry_run: keySpec('Only tell what would be written', flag),
  timeout,
} as const;

const notYet = {
  merged: 'the value of merged cells',
  types: 'types of columns',
  on_type_error: 'types of columns',
  password: 'protected workbooks',
  where: 'conditions for rows',
  encoding: 'other encodings than UTF-8',
  artifact: 'copies among the artifacts',
  input: 'rows from a file',
  style: 'styles of tables',
  atomic: 'writing in place',
  wait_for_unlock: 'waiting for other programs',
} as const;

// The library works synchronously, and only a process can be bounded and ended.
const reads = { execution: 'process', restart: true, unsupported: notYet } as const;
const writes = { execution: 'process', restart: false, unsupported: notYet } as const;

export const xlsxActions = [
  defineAction('xlsx.read', {
    description: 'Reads the rows of a sheet',
    ...reads,
    keys: {
      ...readKeys,
      max_rows: keySpec('Maximum number of rows; 5000 by default', whole(1)),
      keep_empty_rows: keySpec('Keep rows without values', flag),
      stop_at_blank: keySpec('Stop at the first row without values', flag),
    },
  }),
  defineAction('xlsx.info', { description: 'Describes the sheets of a workbook', ...reads, keys: { path, timeout } }),
  defineAction('xlsx.list_sheets', {
    description: 'Lists the names of the sheets of a workbook',
    ...reads,
    keys: { path, timeout },
  }),
  defineAction('xlsx.write', {
    description: 'Writes rows to a sheet, in a new workbook or an existing one',
    ...writes,
    keys: { ...writeKeys, mode: keySpec('replace (default) or append', word('replace', 'append')) },
  }),
  defineAction('xlsx.append', {
    description: 'Adds rows below those of a sheet',
    ...writes,
    keys: writeKeys,
  }),
  defineAction('xlsx.convert', {
    description: 'Writes the rows of a sheet to a file',
    ...writes,
    restart: true,
    keys: {
      ...readKeys,
      output: keySpec('The file', nonEmptyText, { required: true }),
      format: keySpec('csv, json or jsonl; by default derived from the file name', word('csv', 'json', 'jsonl')),
      delimiter: keySpec('Column separator of csv, one character', character),
    },
  }),
] as const;
