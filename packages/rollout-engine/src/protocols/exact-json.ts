import { hasLongNumber } from './long-numbers';

/**
 * Numbers of an object or list whose digits JavaScript cannot hold, by key. Not enumerable, so that other code does not
 * see it.
 */
const digits = Symbol('digits');

interface WithDigits {
  readonly [digits]?: ReadonlyMap<string, string>;
}

interface ParseContext {
  readonly source?: string;
}

type Reviver = (this: object, key: string, value: unknown, context: ParseContext) => unknown;

/** The types of TypeScript do not know these parts of `JSON` yet. */
const json = JSON as unknown as {
  parse(text: string, reviver?: Reviver): unknown;
  rawJSON(text: string): object;
};

/** A number shorter than this is held exactly. */
const longNumber = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/**
 * Parses like `JSON.parse`, and remembers the digits of numbers that would change, such as whole numbers beyond 2^53,
 * for `exactJson`. They are lost where an object is copied.
 */
export function parseExactJson(text: string): unknown {
  if (!hasLongNumber(text)) return JSON.parse(text);
  return json.parse(text, function (key, value, { source }) {
    if (typeof value === 'number' && source !== undefined && changes(value, source)) remember(this, key, source);
    return value;
  });
}

/** The JSON text of a value of `parseExactJson`, with the digits that it was parsed from. */
export function exactJson(value: object): string {
  return JSON.stringify(value, function (this: WithDigits, key: string, inner: unknown) {
    const source = this[digits]?.get(key);
    return source === undefined ? inner : json.rawJSON(source);
  });
}

/**
 * Parses JSON text to a value that `JSON.stringify` writes with the digits of the text, and that is good for nothing
 * else.
 */
export function parseForOutput(text: string): unknown {
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && changes(value, source) ? json.rawJSON(source) : value,
  );
}

/** Whether a number is written in other digits than it was read from. */
function changes(value: number, source: string): boolean {
  return longNumber.test(source) && String(value) !== source;
}

function remember(holder: WithDigits, key: string, source: string): void {
  const known = holder[digits];
  if (known === undefined) Object.defineProperty(holder, digits, { value: new Map([[key, source]]) });
  else (known as Map<string, string>).set(key, source);
}
