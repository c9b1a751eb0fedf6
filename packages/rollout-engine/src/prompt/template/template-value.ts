import { Environment, type TemplateValue } from './jinja';
import { maxNesting, nestedTooDeeply } from './nesting';

export type { TemplateValue };

type ValueClass = new (value: unknown) => TemplateValue;

// The engine does not export its classes, so they are read from values that it creates.
const findClass = (sample: unknown): ValueClass => new Environment().set('sample', sample).constructor as ValueClass;

const classes = {
  integer: findClass(1),
  float: findClass(1.5),
  text: findClass(''),
  truth: findClass(true),
  object: findClass({}),
  list: findClass([]),
  callable: findClass(() => null),
  none: findClass(null),
  missing: findClass(undefined),
};

/** How Python prints a number that JavaScript cannot represent exactly: `1.0`, or more than 2^53. */
const printedNumbers = new WeakMap<TemplateValue, string>();

export const printedNumber = (value: TemplateValue): string | undefined => printedNumbers.get(value);

export const textValue = (text: string): TemplateValue => new classes.text(text);
export const truthValue = (truth: boolean): TemplateValue => new classes.truth(truth);
export const listValue = (items: readonly TemplateValue[]): TemplateValue => new classes.list(items);
export const objectValue = (entries: ReadonlyMap<string, TemplateValue>): TemplateValue => new classes.object(entries);
export const noneValue = (): TemplateValue => new classes.none(null);
export const missingValue = (): TemplateValue => new classes.missing(undefined);
export const integerValue = (value: number): TemplateValue => new classes.integer(value);
export const floatValue = (value: number): TemplateValue => new classes.float(value);

export const functionValue = (call: (args: readonly TemplateValue[]) => TemplateValue): TemplateValue =>
  new classes.callable(call);

const integerText = /^-?\d+$/;

/** Parses a JSON number. As in Python, an integer of any size without fraction and exponent, otherwise a float. */
export function numberValue(text: string): TemplateValue {
  const number = Number(text);
  if (!integerText.test(text)) return floatValue(number);
  const value = integerValue(number);
  if (!Number.isSafeInteger(number)) printedNumbers.set(value, text);
  return value;
}

/** Converts JSON data of at most 128 levels. Numbers without a fraction become integers: `1.0` was parsed as `1` before. */
export function plainValue(data: unknown, depth = 0): TemplateValue {
  if (depth > maxNesting) throw nestedTooDeeply();
  if (typeof data === 'string') return textValue(data);
  if (typeof data === 'boolean') return truthValue(data);
  if (typeof data === 'number') return Number.isInteger(data) ? integerValue(data) : floatValue(data);
  if (data === null) return noneValue();
  if (data === undefined) return missingValue();
  if (Array.isArray(data)) return listValue(data.map((item) => plainValue(item, depth + 1)));
  const entries = Object.entries(data as Record<string, unknown>).filter(([, value]) => value !== undefined);
  return objectValue(new Map(entries.map(([key, value]) => [key, plainValue(value, depth + 1)])));
}

export const isText = (value: TemplateValue): boolean => value.type === 'StringValue';
export const isMissing = (value: TemplateValue): boolean => value.type === 'UndefinedValue';
export const isObject = (value: TemplateValue): boolean =>
  value.type === 'ObjectValue' || value.type === 'KeywordArgumentsValue' || value.type === 'NamespaceValue';
export const isList = (value: TemplateValue): boolean => value.type === 'ArrayValue' || value.type === 'TupleValue';

/** The value must be a list. */
export const getItems = (value: TemplateValue): readonly TemplateValue[] => value.value as TemplateValue[];

export const getEntries = (value: TemplateValue): ReadonlyMap<string, TemplateValue> =>
  value.value as Map<string, TemplateValue>;
