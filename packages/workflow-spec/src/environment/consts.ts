import type { ParamScalar } from '../canonical/param';
import { limits } from '../limits';
import { quote } from '../quote';
import { atMost } from '../read/at-most';
import type { Reader } from '../read/readers';
import { shape } from '../read/shape';
import { anyJson, invalid } from '../read/shapes';
import { uniqueNames, type Placed } from '../values/unique-names';
import { entriesOf, itemsOf, kindOf, report, type YamlEntry, type YamlValue } from '../yaml/yaml-value';

/** A value that stays the same in every run, read as `${consts.name}`. */
export interface Const {
  readonly name: string;
  readonly value: ParamScalar;
}

const namePattern = /^[A-Za-z][A-Za-z0-9_]*$/;
const bound = { limit: limits.consts, code: 'invalid_value', what: 'consts' } as const;

const readConsts: Reader<readonly Const[]> = (value) => {
  const kind = kindOf(value);
  if (kind !== 'list') {
    const form = 'consts must use list form: a list of maps with one key each';
    if (kind !== 'broken') report(value, 'invalid_type', form);
    return undefined;
  }
  return uniqueNames(atMost(itemsOf(value), value, bound).flatMap(readConst), 'constant', value);
};

/** A list of maps with one key each. */
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

function readConst(item: YamlValue): readonly Placed<Const>[] {
  const entries = entriesOf(item);
  const [entry, ...others] = entries;
  if (kindOf(item) === 'broken') return [];
  if (!entry || others.length > 0) {
    report(item, 'invalid_value', 'each entry of consts must be a map with one key');
    return [];
  }
  const value = readConstValue(entry);
  return value === undefined ? [] : [{ value: { name: entry.key, value }, spot: entry.spot }];
}

function readConstValue({ key, spot, value }: YamlEntry): ParamScalar | undefined {
  if (!namePattern.test(key)) {
    const message = `invalid constant name ${quote(key)}: a letter, then letters, digits and underscores`;
    value.context.report.add('invalid_value', spot, message);
    return undefined;
  }
  const found = scalarOf(value);
  if (found !== undefined) return found;
  if (kindOf(value) !== 'broken') invalid(value, `the constant ${quote(key)} must be a text, a number or a boolean`);
  return undefined;
}

function scalarOf(value: YamlValue): ParamScalar | undefined {
  const found = anyJson.read(value);
  if (typeof found === 'number' || typeof found === 'boolean') return found;
  if (typeof found !== 'string') return undefined;
  // Infinity is a number to YAML, but not to JSON, to which a very large number is a text.
  return kindOf(value) === 'text' || /^[+-]?\d+$/.test(found) ? found : undefined;
}
