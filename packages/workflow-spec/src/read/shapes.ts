import type { FindingCode } from '../finding-catalogue';
import type { FixText } from '../finding-report';
import { quote } from '../quote';
import { didYouMean } from '../suggest';
import type { JsonValue } from '../canonical/json';
import { describePath } from '../yaml/node-place';
import { booleanOf, entriesOf, itemsOf, kindOf, numberOf, report, textOf, type YamlValue } from '../yaml/yaml-value';
import { madeValue } from '../yaml/made-value';
import { atMost } from './at-most';
import { readBoolean, readCount, readFilledText, readNumber, readText, readTextList, wrongKind } from './readers';
import { shape, type Shape } from './shape';

const scalar = ['string', 'number', 'boolean'];

export const text = shape(readText, { type: scalar });
export const filledText = shape(readFilledText, { type: scalar, minLength: 1 });
export const number = shape(readNumber, { type: 'number' });
export const boolean = shape(readBoolean, { type: 'boolean' });
/** A whole number, zero included. */
export const count = shape(readCount, { type: 'integer', minimum: 0 });
export const textList = shape(readTextList, { type: 'array', items: { type: scalar } });
/** One filled text, or a list of them. */
export const textOrList = shape<readonly string[]>(
  (value) => {
    if (kindOf(value) === 'list') return readTextList(value);
    const one = readFilledText(value);
    return one === undefined ? undefined : [one];
  },
  {
    anyOf: [
      { type: scalar, minLength: 1 },
      { type: 'array', items: { type: scalar } },
    ],
  },
);

/** A whole number inside a range. */
export function wholeNumber(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Shape<number> {
  const range = maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `from ${minimum} to ${maximum}`;
  const schema = { type: 'integer', minimum, ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }) };
  return shape((value) => {
    const found = numberOf(value);
    if (found === undefined) return wrongKind(value, `a whole number, ${range}`);
    if (Number.isSafeInteger(found) && found >= minimum && found <= maximum) return found;
    return invalid(value, `must be a whole number, ${range}`);
  }, schema);
}

/** One of a few words; a near one is offered. */
export function oneOf<const W extends string>(...words: readonly W[]): Shape<W> {
  return shape(
    (value) => {
      const found = readText(value);
      const word = words.find((known) => known === found);
      if (word !== undefined || found === undefined) return word;
      const near = value.context.suggest(found, words);
      const fix = near === undefined ? undefined : { title: `Write ${quote(near)}`, text: near };
      return invalid(value, `must be one of: ${words.join(', ')}${didYouMean(near)}`, fix);
    },
    { enum: words },
  );
}

export interface ListBound {
  readonly limit: number;
  readonly code: FindingCode;
  readonly what: string;
}

/** A list; an item that cannot be read is reported and left out. */
export function listOf<T>(item: Shape<T>, bound: ListBound): Shape<readonly T[]> {
  return shape(
    (value) => {
      if (kindOf(value) !== 'list') return wrongKind(value, 'a list');
      return atMost(itemsOf(value), value, bound).flatMap((each) => {
        const found = item.read(each);
        return found === undefined ? [] : [found];
      });
    },
    (book) => ({ type: 'array', items: item.schema(book), maxItems: bound.limit }),
  );
}

/** One item, or a list of them. */
export function oneOrMany<T>(item: Shape<T>, bound: ListBound): Shape<readonly T[]> {
  const many = listOf(item, bound);
  return shape(
    (value) => {
      if (kindOf(value) === 'list') return many.read(value);
      const found = item.read(value);
      return found === undefined ? undefined : [found];
    },
    (book) => ({ anyOf: [item.schema(book), many.schema(book)] }),
  );
}

/** A map with keys of the author's own; an entry that cannot be read is reported and left out. */
export function mapOf<T>(item: Shape<T>, bound: ListBound): Shape<Readonly<Record<string, T>>> {
  return shape(
    (value) => {
      if (kindOf(value) !== 'map') return wrongKind(value, 'a map');
      const found: [string, T][] = [];
      for (const entry of atMost(entriesOf(value), value, bound)) {
        const each = item.read(entry.value);
        if (each !== undefined) found.push([entry.key, each]);
      }
      return Object.fromEntries(found);
    },
    (book) => ({ type: 'object', additionalProperties: item.schema(book), maxProperties: bound.limit }),
  );
}

/** The first shape that `fits` says is meant; its findings are the ones reported. */
export function either<A, B>(isFirst: (value: YamlValue) => boolean, first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return shape<A | B>(
    (value) => (isFirst(value) ? first.read(value) : second.read(value)),
    (book) => ({ anyOf: [first.schema(book), second.schema(book)] }),
  );
}

/** A number in quotes, `"22"`, where older files have one; it is read as the number. */
export function orQuoted<T>(inner: Shape<T>): Shape<T> {
  const digits = /^\d{1,15}$/;
  return shape(
    (value) => {
      const found = kindOf(value) === 'text' ? (textOf(value) ?? '').trim() : '';
      return inner.read(digits.test(found) ? madeValue(Number(found), value, value.context) : value);
    },
    (book) => ({ anyOf: [inner.schema(book), { type: 'string', pattern: '^\\s*\\d{1,15}\\s*$' }] }),
  );
}

/** A text with a reference in it, whose value is known only when the step runs; or what the shape reads. */
export function orReference<T>(inner: Shape<T>): Shape<T | string> {
  const reference = shape(readText, { type: 'string', pattern: '\\$' });
  return either((value) => hasReference(value), reference, inner);
}

export function hasReference(value: YamlValue): boolean {
  return (
    value.context.isResolved !== true && kindOf(value) === 'text' && /\$\{|\$[A-Za-z_0-9]/.test(textOf(value) ?? '')
  );
}

/** Any value, handed on as JSON. */
export const anyJson: Shape<JsonValue> = shape(toJson, {});

/** A map of anything, handed on as JSON. */
export const anyMap = shape<Readonly<Record<string, JsonValue>>>(
  (value) => (kindOf(value) === 'map' ? entriesToJson(value) : wrongKind(value, 'a map')),
  { type: 'object' },
);

/** Hands the value on; what it must be depends on other keys. Give the schema of all that it may be. */
export function unread(schema: Parameters<typeof shape>[1]): Shape<YamlValue> {
  return shape((value) => value, schema);
}

/** Reports a value that the key does not take; nothing is returned, so that a reader can end with it. */
export function invalid(value: YamlValue, what: string, fix?: FixText): undefined {
  const shown = value.context.isResolved === true ? undefined : textOf(value);
  const suffix = shown === undefined ? '' : ` (value: ${quote(shown)})`;
  report(value, 'invalid_value', `field '${describePath(value.path)}': ${what}${suffix}`, fix);
  return undefined;
}

function toJson(value: YamlValue): JsonValue | undefined {
  switch (kindOf(value)) {
    case 'broken':
      return undefined;
    case 'null':
      return null;
    case 'number':
      return numberToJson(value);
    case 'boolean':
      return booleanOf(value);
    case 'text':
      return textOf(value);
    case 'list':
      return itemsOf(value).map((item) => toJson(item) ?? null);
    case 'map':
      return entriesToJson(value);
  }
}

function entriesToJson(value: YamlValue): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(entriesOf(value).map((entry) => [entry.key, toJson(entry.value) ?? null]));
}

// JSON has no infinity, and a number that cannot be told exactly is the text that its author wrote.
function numberToJson(value: YamlValue): JsonValue | undefined {
  const found = numberOf(value);
  if (found === undefined) return undefined;
  return Number.isFinite(found) && (!Number.isInteger(found) || Number.isSafeInteger(found)) ? found : textOf(value);
}
