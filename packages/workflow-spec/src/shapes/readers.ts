import { quote } from '../source/text/quote';
import { describePath } from '../source/findings/describe-path';
import {
  getItems,
  getKind,
  getNumber,
  getBoolean,
  report,
  getText,
  type ValueKind,
  type YamlValue,
} from '../source/yaml/yaml-value';

/** Converts a value of the file to its canonical form, or reports a finding and returns undefined. */
export type Reader<T> = (value: YamlValue) => T | undefined;

const kindNames: Readonly<Record<ValueKind, string>> = {
  null: 'empty',
  text: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  list: 'a list',
  map: 'a map',
  broken: 'not readable',
};

/** Does not report values that were reported before. */
export function reportWrongKind(value: YamlValue, expected: string): undefined {
  const kind = getKind(value);
  if (kind === 'broken') return undefined;
  report(value, 'invalid_type', `${describePath(value.path)} must be ${expected}, but is ${kindNames[kind]}`);
  return undefined;
}

/** Numbers and booleans count as strings: `run: true` is a command and `name: 2024` a name. */
export const readText: Reader<string> = (value) => getText(value) ?? reportWrongKind(value, 'a string');

export const readNonEmptyText: Reader<string> = (value) => {
  const text = readText(value);
  if (text?.trim() !== '') return text;
  report(value, 'invalid_value', `${describePath(value.path)} must not be empty`);
  return undefined;
};

export const readNumber: Reader<number> = (value) => {
  const number = getNumber(value);
  if (number !== undefined && Number.isFinite(number)) return number;
  reportInvalidNumber(value, 'a number');
  return undefined;
};

export const readCount: Reader<number> = (value) => {
  const number = getNumber(value);
  if (number !== undefined && Number.isSafeInteger(number) && number >= 0) return number;
  reportInvalidNumber(value, 'an integer, 0 or more');
  return undefined;
};

export const readBoolean: Reader<boolean> = (value) => getBoolean(value) ?? reportWrongKind(value, 'true or false');

/** A list of non-empty strings; other entries are reported and dropped. */
export const readTextList: Reader<readonly string[]> = (value) => {
  if (getKind(value) !== 'list') {
    reportWrongKind(value, 'a list of strings');
    return undefined;
  }
  return getItems(value).flatMap((item) => readNonEmptyText(item) ?? []);
};

/** Returns false for an empty string or list. */
export function isGiven(value: YamlValue): boolean {
  return getKind(value) === 'list' ? getItems(value).length > 0 : getText(value) !== '';
}

function reportInvalidNumber(value: YamlValue, expected: string): undefined {
  if (getNumber(value) === undefined) {
    reportWrongKind(value, expected);
    return undefined;
  }
  const shown = value.context.isResolved === true ? '' : ` (value: ${quote(getText(value) ?? '')})`;
  report(value, 'invalid_value', `${describePath(value.path)} must be ${expected}${shown}`);
  return undefined;
}
