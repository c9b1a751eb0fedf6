/** Deeper values are compared as text: a stack must not grow with a client's brackets. */
const maxDepth = 64;

/**
 * Returns the same string for two JSON texts exactly when their values are equal: objects with keys in any order (of
 * duplicate keys the last one counts), strings by content, numbers by exact decimal value, so that `1.0` is `1` and no
 * digit is lost beyond 2^53. `undefined` for invalid JSON or too deep a nesting.
 */
export function canonicalJson(text: string): string | undefined {
  try {
    const reader = { text, at: 0 };
    const value = readValue(reader, 0);
    skipSpace(reader);
    return reader.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof NotJson || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class NotJson extends Error {}

interface Reader {
  readonly text: string;
  at: number;
}

function readValue(reader: Reader, depth: number): string {
  if (depth > maxDepth) throw new NotJson();
  skipSpace(reader);
  switch (reader.text[reader.at]) {
    case '{':
      return readObject(reader, depth);
    case '[':
      return readArray(reader, depth);
    case '"':
      return readText(reader);
    default:
      return readWord(reader);
  }
}

function readObject(reader: Reader, depth: number): string {
  const members = new Map<string, string>();
  reader.at += 1;
  skipSpace(reader);
  if (consume(reader, '}')) return '{}';
  do {
    skipSpace(reader);
    const key = readText(reader);
    skipSpace(reader);
    if (!consume(reader, ':')) throw new NotJson();
    members.set(key, readValue(reader, depth + 1));
    skipSpace(reader);
  } while (consume(reader, ','));
  if (!consume(reader, '}')) throw new NotJson();
  const sorted = [...members].sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(',')}}`;
}

function readArray(reader: Reader, depth: number): string {
  const items: string[] = [];
  reader.at += 1;
  skipSpace(reader);
  if (consume(reader, ']')) return '[]';
  do {
    items.push(readValue(reader, depth + 1));
    skipSpace(reader);
  } while (consume(reader, ','));
  if (!consume(reader, ']')) throw new NotJson();
  return `[${items.join(',')}]`;
}

function readText(reader: Reader): string {
  const { text, at: from } = reader;
  if (text[from] !== '"') throw new NotJson();
  let quote = text.indexOf('"', from + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  if (quote < 0) throw new NotJson();
  reader.at = quote + 1;
  // The platform's parser and serialiser normalise escapes.
  return JSON.stringify(JSON.parse(text.slice(from, reader.at)));
}

/** Whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from -= 1;
  return (at - from) % 2 === 1;
}

// Exponents with more digits would take seconds to compute with.
const word = /true|false|null|(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,32}))?/y;

function readWord(reader: Reader): string {
  word.lastIndex = reader.at;
  const match = word.exec(reader.text);
  if (match === null) throw new NotJson();
  reader.at = word.lastIndex;
  const [literal, sign = '', whole, fraction = '', exponent = '0'] = match;
  return whole === undefined ? literal : canonicalNumber(sign, whole, fraction, exponent);
}

/** Sign, digits without leading and trailing zeros, and the power of ten of the last digit. */
function canonicalNumber(sign: string, whole: string, fraction: string, exponent: string): string {
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const end = lengthWithoutZeros(digits);
  if (end === 0) return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - end);
  return `${sign}${digits.slice(0, end)}e${power}`;
}

function lengthWithoutZeros(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return end;
}

function skipSpace(reader: Reader): void {
  for (;;) {
    const code = reader.text.charCodeAt(reader.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    reader.at += 1;
  }
}

function consume(reader: Reader, character: string): boolean {
  if (reader.text[reader.at] !== character) return false;
  reader.at += 1;
  return true;
}
