import { doubtfulInput, invalidInput, validInput, type ParsedInput } from './parsed-input';

const maxItems = 100;

const comma = /(?<!\\),/;

/** Separates items that contain no spaces. */
export const spaceOrComma = /(?<!\\),|\s/;

/** Splits at line breaks and separators; `\,` is a literal comma. Empty items are omitted. */
export function splitList(text: string, separator = comma): readonly string[] {
  return text
    .split(/[\r\n]+/)
    .flatMap((line) => line.split(separator))
    .map((item) => item.replaceAll(String.raw`\,`, ',').trim())
    .filter((item) => item !== '');
}

/** Parses every item; the first invalid one is reported. */
export function parseList<T>(
  text: string,
  parseItem: (item: string) => ParsedInput<T>,
  separator?: RegExp,
): ParsedInput<readonly T[]> {
  const items = splitList(text, separator);
  if (items.length === 0)
    return invalidInput('list_empty', 'has separators but no item. Add an item or leave the input empty.');
  if (items.length > maxItems)
    return invalidInput('list_too_long', `has ${items.length} items. Use at most ${maxItems}.`);
  const values: T[] = [];
  const warnings: string[] = [];
  for (const [index, item] of items.entries()) {
    const result = parseItem(item);
    if (!result.ok) return invalidInput(result.reason, `(item ${index + 1}) ${result.message}`);
    values.push(result.value);
    if (result.warning !== undefined) warnings.push(`(item ${index + 1}) ${result.warning}`);
  }
  return warnings.length === 0 ? validInput(values) : doubtfulInput(values, warnings.join(' '));
}
