import type { SuggestedFix } from '../source/findings/source-location';
import { quote } from '../source/text/quote';
import { didYouMean } from '../source/text/suggest';
import type { JsonValue } from '../model/json';
import { describePath } from '../source/findings/describe-path';
import {
  getBoolean,
  getEntries,
  getItems,
  getKind,
  getNumber,
  report,
  getText,
  type YamlValue,
} from '../source/yaml/yaml-value';
import { syntheticValue } from '../source/yaml/synthetic-value';
import { limitEntries, type EntryLimit } from './limit-entries';
import {
  readBoolean,
  readCount,
  readNonEmptyText,
  readNumber,
  readText,
  readTextList,
  reportWrongKind,
} from './readers';
import { shape, type Shape } from './shape';

const scalar = ['string', 'number', 'boolean'];

export const text = shape(readText, { type: scalar });
export const nonEmptyText = shape(readNonEmptyText, { type: scalar, minLength: 1 });
/** A non-empty string; a number or boolean counts only in quotes. */
export const stringText = shape(
  (value) =>
    ['number', 'boolean'].includes(getKind(value)) ? reportWrongKind(value, 'a string') : readNonEmptyText(value),
  { type: 'string', minLength: 1 },
);
export const number = shape(readNumber, { type: 'number' });
export const boolean = shape(readBoolean, { type: 'boolean' });
export const count = shape(readCount, { type: 'integer', minimum: 0 });
export const textList = shape(readTextList, { type: 'array', items: { type: scalar } });
export const textOrList = shape<readonly string[]>(
  (value) => {
    if (getKind(value) === 'list') return readTextList(value);
    const one = readNonEmptyText(value);
    return one === undefined ? undefined : [one];
  },
  {
    anyOf: [
      { type: scalar, minLength: 1 },
      { type: 'array', items: { type: scalar } },
    ],
  },
);

export function wholeNumber(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Shape<number> {
  const range = maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `from ${minimum} to ${maximum}`;
  const schema = { type: 'integer', minimum, ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }) };
  return shape((value) => {
    const found = getNumber(value);
    if (found === undefined) return reportWrongKind(value, `an integer, ${range}`);
    if (Number.isSafeInteger(found) && found >= minimum && found <= maximum) return found;
    return reportInvalid(value, `must be an integer, ${range}`);
  }, schema);
}

/** One of several keywords; suggests the nearest one. */
export function enumShape<const W extends string>(...keywords: readonly W[]): Shape<W> {
  return shape(
    (value) => {
      const found = readText(value);
      const keyword = keywords.find((known) => known === found);
      if (keyword !== undefined || found === undefined) return keyword;
      const near = value.context.suggest(found, keywords);
      const fix = near === undefined ? undefined : { title: `Write ${quote(near)}`, text: near };
      return reportInvalid(value, `must be one of: ${keywords.join(', ')}${didYouMean(near)}`, fix);
    },
    { enum: keywords },
  );
}

/** Unreadable items are reported and dropped. */
export function listShape<T, Resolved>(
  item: Shape<T, Resolved>,
  bound: EntryLimit,
): Shape<readonly T[], readonly Resolved[]> {
  return shape<readonly T[], readonly Resolved[]>(
    (value) => {
      if (getKind(value) !== 'list') return reportWrongKind(value, 'a list');
      return limitEntries(getItems(value), value, bound).flatMap((each) => {
        const found = item.read(each);
        return found === undefined ? [] : [found];
      });
    },
    (book) => ({ type: 'array', items: item.schema(book), maxItems: bound.limit }),
  );
}

export function oneOrMany<T, Resolved>(
  item: Shape<T, Resolved>,
  bound: EntryLimit,
): Shape<readonly T[], readonly Resolved[]> {
  const many = listShape(item, bound);
  return shape<readonly T[], readonly Resolved[]>(
    (value) => {
      if (getKind(value) === 'list') return many.read(value);
      const found = item.read(value);
      return found === undefined ? undefined : [found];
    },
    (book) => ({ anyOf: [item.schema(book), many.schema(book)] }),
  );
}

/** A map with free keys; unreadable entries are reported and dropped. */
export function recordShape<T, Resolved>(
  item: Shape<T, Resolved>,
  bound: EntryLimit,
): Shape<Readonly<Record<string, T>>, Readonly<Record<string, Resolved>>> {
  return shape<Readonly<Record<string, T>>, Readonly<Record<string, Resolved>>>(
    (value) => {
      if (getKind(value) !== 'map') return reportWrongKind(value, 'a map');
      const found: [string, T][] = [];
      for (const entry of limitEntries(getEntries(value), value, bound)) {
        const each = item.read(entry.value);
        if (each !== undefined) found.push([entry.key, each]);
      }
      return Object.fromEntries(found);
    },
    (book) => ({ type: 'object', additionalProperties: item.schema(book), maxProperties: bound.limit }),
  );
}

/** `isFirst` decides which shape reads the value and reports its findings. */
export function either<A, B, ResolvedA = A, ResolvedB = B>(
  isFirst: (value: YamlValue) => boolean,
  first: Shape<A, ResolvedA>,
  second: Shape<B, ResolvedB>,
): Shape<A | B, ResolvedA | ResolvedB> {
  return shape<A | B, ResolvedA | ResolvedB>(
    (value) => (isFirst(value) ? first.read(value) : second.read(value)),
    (book) => ({ anyOf: [first.schema(book), second.schema(book)] }),
  );
}

/** Also accepts an integer in quotes, `"22"`, as older files have it. */
export function orQuotedNumber<T, Resolved>(inner: Shape<T, Resolved>): Shape<T, Resolved> {
  const digits = /^\d{1,15}$/;
  return shape(
    (value) => {
      const found = getKind(value) === 'text' ? (getText(value) ?? '').trim() : '';
      return inner.read(digits.test(found) ? syntheticValue(Number(found), value, value.context) : value);
    },
    (book) => ({ anyOf: [inner.schema(book), { type: 'string', pattern: '^\\s*\\d{1,15}\\s*$' }] }),
  );
}

/** A string with a reference, whose value is known only when the step runs, or what the shape reads. */
export function orReference<T, Resolved>(inner: Shape<T, Resolved>): Shape<T | string, Resolved> {
  // The shape has no resolved value of its own: once references are replaced, only the inner shape reads.
  const reference = shape<string, never>(readText, { type: 'string', pattern: '\\$' });
  return either((value) => hasReference(value), reference, inner);
}

export function hasReference(value: YamlValue): boolean {
  return (
    value.context.isResolved !== true && getKind(value) === 'text' && /\$\{|\$[A-Za-z_0-9]/.test(getText(value) ?? '')
  );
}

export const anyJson: Shape<JsonValue> = shape((value) => toJson(value, numberToJson), {});

/** As {@link anyJson}, for values that become texts: a number whose spelling JSON loses (`1.10`, `0755`) is its text. */
export const asWritten: Shape<JsonValue> = shape((value) => toJson(value, numberAsWritten), {});

export const anyMap = shape<Readonly<Record<string, JsonValue>>>(
  (value) => (getKind(value) === 'map' ? entriesToJson(value, numberToJson) : reportWrongKind(value, 'a map')),
  { type: 'object' },
);

export const mapAsWritten = shape<Readonly<Record<string, JsonValue>>>(
  (value) => (getKind(value) === 'map' ? entriesToJson(value, numberAsWritten) : reportWrongKind(value, 'a map')),
  { type: 'object' },
);

/** Returns the value unread, because its form depends on other keys. The schema covers all of its forms. */
export function rawShape(schema: Parameters<typeof shape>[1]): Shape<YamlValue> {
  return shape((value) => value, schema);
}

/** Returns undefined, so that a reader can end with it. */
export function reportInvalid(value: YamlValue, what: string, fix?: SuggestedFix): undefined {
  const shown = value.context.isResolved === true ? undefined : getText(value);
  const suffix = shown === undefined ? '' : ` (value: ${quote(shown)})`;
  report(value, 'invalid_value', `field '${describePath(value.path)}': ${what}${suffix}`, fix);
  return undefined;
}

type NumberReader = (value: YamlValue) => JsonValue | undefined;

function toJson(value: YamlValue, readNumber: NumberReader): JsonValue | undefined {
  switch (getKind(value)) {
    case 'broken':
      return undefined;
    case 'null':
      return null;
    case 'number':
      return readNumber(value);
    case 'boolean':
      return getBoolean(value);
    case 'text':
      return getText(value);
    case 'list':
      return getItems(value).map((item) => toJson(item, readNumber) ?? null);
    case 'map':
      return entriesToJson(value, readNumber);
  }
}

function entriesToJson(value: YamlValue, readNumber: NumberReader): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(getEntries(value).map((entry) => [entry.key, toJson(entry.value, readNumber) ?? null]));
}

// JSON has no infinity, and an integer beyond the safe range stays the string its author wrote.
function numberToJson(value: YamlValue): JsonValue | undefined {
  const found = getNumber(value);
  if (found === undefined) return undefined;
  return Number.isFinite(found) && (!Number.isInteger(found) || Number.isSafeInteger(found)) ? found : getText(value);
}

function numberAsWritten(value: YamlValue): JsonValue | undefined {
  const found = numberToJson(value);
  return typeof found === 'number' && getText(value) !== String(found) ? getText(value) : found;
}
