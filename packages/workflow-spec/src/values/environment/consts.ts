import type { ParamScalar } from '../../model/param';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { limitEntries } from '../../shapes/limit-entries';
import type { Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { asWritten, reportInvalid } from '../../shapes/shapes';
import { uniqueNames, type Located } from '../../shapes/unique-names';
import {
  getEntries,
  getItems,
  getKind,
  getNumber,
  report,
  type YamlEntry,
  type YamlValue,
} from '../../source/yaml/yaml-value';

/** A constant, which references read as `${consts.name}`. */
export interface Const {
  readonly name: string;
  readonly value: ParamScalar;
}

const namePattern = /^[A-Za-z][A-Za-z0-9_]*$/;
const bound = { limit: limits.consts, code: 'invalid_value', what: 'consts' } as const;

const readConsts: Reader<readonly Const[]> = (value) => {
  const kind = getKind(value);
  if (kind !== 'list') {
    const form = 'consts must use list form: a list of maps with one key each';
    if (kind !== 'broken') report(value, 'invalid_type', form);
    return undefined;
  }
  return uniqueNames(limitEntries(getItems(value), value, bound).flatMap(readConst), 'constant', value);
};

export const consts = shape(readConsts, {
  type: 'array',
  maxItems: limits.consts,
  items: {
    type: 'object',
    minProperties: 1,
    maxProperties: 1,
    propertyNames: { pattern: namePattern.source },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  },
});

function readConst(item: YamlValue): readonly Located<Const>[] {
  const entries = getEntries(item);
  const [entry, ...others] = entries;
  if (getKind(item) === 'broken') return [];
  if (!entry || others.length > 0) {
    report(item, 'invalid_value', 'each entry of consts must be a map with one key');
    return [];
  }
  const value = readConstValue(entry);
  return value === undefined ? [] : [{ value: { name: entry.key, value }, location: entry.location }];
}

function readConstValue({ key, location, value }: YamlEntry): ParamScalar | undefined {
  if (!namePattern.test(key)) {
    const message = `invalid constant name ${quote(key)}: a letter, then letters, digits and underscores`;
    value.context.report.add('invalid_value', location, message);
    return undefined;
  }
  const found = readScalar(value);
  if (found !== undefined) return found;
  if (getKind(value) !== 'broken')
    reportInvalid(value, `the constant ${quote(key)} must be a string, a number or a boolean`);
  return undefined;
}

function readScalar(value: YamlValue): ParamScalar | undefined {
  const found = asWritten.read(value);
  if (typeof found === 'number' || typeof found === 'boolean') return found;
  if (typeof found !== 'string') return undefined;
  // YAML has an infinity, JSON has none; a number may be a string because JSON would lose its spelling.
  return getKind(value) === 'text' || Number.isFinite(getNumber(value)) ? found : undefined;
}
