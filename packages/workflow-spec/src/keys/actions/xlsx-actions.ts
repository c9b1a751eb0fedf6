import { keySpec } from '../../shapes/object-kind';
import { anyJson, nonEmptyText, recordShape } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { duration } from '../../shapes/settings/duration-setting';
import {
  character,
  flag,
  listOfAny,
  mapOfAny,
  settingBound,
  texts,
  whole,
  word,
} from '../../shapes/settings/setting-shapes';

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

const { types: _, on_type_error: __, ...notYetChecked } = notYet;
const valueTypes = ['string', 'number', 'integer', 'boolean', 'date', 'datetime'] as const;

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
  defineAction('xlsx.validate', {
    description: 'Checks the rows of a sheet and publishes every problem',
    ...reads,
    unsupported: notYetChecked,
    keys: {
      ...readKeys,
      required: keySpec('Columns that must be there', texts('required')),
      not_blank: keySpec('Columns without empty cells', texts('not_blank')),
      unique: keySpec('Columns without repeated values', texts('unique')),
      types: keySpec('Types of columns', recordShape(word(...valueTypes), settingBound('types'))),
      allowed: keySpec('Values of columns', recordShape(listOfAny('allowed'), settingBound('allowed'))),
      on_problem: keySpec('warn (default) or fail', word('warn', 'fail')),
      max_problems: keySpec('Maximum number of problems; 1000 by default', whole(1)),
    },
  }),
  defineAction('xlsx.update_rows', {
    description: 'Changes columns of rows that are found by a key',
    ...writes,
    keys: {
      path,
      sheet,
      rows: keySpec('List of maps, or a reference to one', anyJson, { required: true }),
      key: keySpec('Column by which rows are found, or _row', nonEmptyText, { required: true }),
      set: keySpec('Field of a row, or {value: …}, by column; by default all fields', mapOfAny('set')),
      missing: keySpec('fail (default), skip or append', word('fail', 'skip', 'append')),
      dry_run: writeKeys.dry_run,
      timeout,
    },
  }),
  defineAction('xlsx.write_cells', {
    description: 'Fills single cells of a workbook or of a copy of it',
    ...writes,
    keys: {
      path,
      sheet,
      cells: keySpec('Values, {value, type} or {formula}, by cell', mapOfAny('cells'), { required: true }),
      output: keySpec('The copy; by default the workbook itself is changed', nonEmptyText),
      dry_run: writeKeys.dry_run,
      timeout,
    },
  }),
  defineAction('xlsx.sheet', {
    description: 'Adds, copies, renames or deletes a sheet',
    ...writes,
    keys: {
      path,
      operation: keySpec('add, copy, rename or delete', word('add', 'copy', 'rename', 'delete'), { required: true }),
      sheet: keySpec('Name of the sheet', nonEmptyText, { required: true }),
      to: keySpec('Name of the copy, or the new name', nonEmptyText),
      position: keySpec('Place of a new sheet, from 1', whole(1)),
      if_exists: keySpec('fail (default), skip or replace', word('fail', 'skip', 'replace')),
      missing: keySpec('fail (default) or skip', word('fail', 'skip')),
      dry_run: writeKeys.dry_run,
      timeout,
    },
  }),
] as const;
