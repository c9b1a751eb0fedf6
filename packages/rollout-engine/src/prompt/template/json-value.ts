import { maxNesting } from './nesting';
import {
  listValue,
  noneValue,
  numberValue,
  objectValue,
  textValue,
  truthValue,
  type TemplateValue,
} from './template-value';

const space = /[ \t\n\r]*/y;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;

class NotJson extends Error {}

/**
 * Parses JSON text without the losses of `JSON.parse`: `1.0` stays a float, large integers keep their digits, and keys
 * their order. `undefined` for invalid JSON or a nesting deeper than 128.
 */
export function parseJsonValue(json: string): TemplateValue | undefined {
  try {
    const reader = createReader(json);
    const value = reader.value(0);
    reader.take(space);
    return reader.isAtEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotJson || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function createReader(json: string) {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(json)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const takeCharacter = (character: string): boolean => {
    take(space);
    if (json[at] !== character) return false;
    at += 1;
    return true;
  };
  const need = <Found>(found: Found | undefined | false): Found => {
    if (found === undefined || found === false) throw new NotJson();
    return found;
  };
  const text = (): string => {
    take(space);
    const from = at;
    // A pattern is avoided because a long text overflows its stack. `JSON.parse` checks the text between the quotes.
    at = need(json[from] === '"' && endOfString(json, from));
    return JSON.parse(json.slice(from, at)) as string;
  };
  const members = (close: string, read: () => void): void => {
    if (takeCharacter(close)) return;
    do read();
    while (takeCharacter(','));
    need(takeCharacter(close));
  };
  const value = (depth: number): TemplateValue => {
    if (depth > maxNesting) throw new NotJson();
    if (takeCharacter('{')) {
      const entries = new Map<string, TemplateValue>();
      members('}', () => {
        const key = text();
        need(takeCharacter(':'));
        entries.set(key, value(depth + 1));
      });
      return objectValue(entries);
    }
    if (takeCharacter('[')) {
      const items: TemplateValue[] = [];
      members(']', () => items.push(value(depth + 1)));
      return listValue(items);
    }
    if (json[at] === '"') return textValue(text());
    const name = take(word);
    if (name !== undefined) return name === 'null' ? noneValue() : truthValue(name === 'true');
    return numberValue(need(take(numberToken)));
  };
  return { value, take, isAtEnd: () => at === json.length };
}

/** Position after the closing quote; `undefined` if there is none. */
function endOfString(json: string, from: number): number | undefined {
  for (let quote = json.indexOf('"', from + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (json[escapes - 1] === '\\') escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return undefined;
}
