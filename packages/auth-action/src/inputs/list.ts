import { parsed, wrong, type Parsed } from './parsed';

const maxItems = 100;

/** Items on lines of their own or between commas; `\,` is a comma within an item. Empty items are left out. */
export function splitList(text: string): readonly string[] {
  return text
    .split(/[\r\n]+/)
    .flatMap((line) => line.split(/(?<!\\),/))
    .map((item) => item.replaceAll(String.raw`\,`, ',').trim())
    .filter((item) => item !== '');
}

/** A list of which every item is parsed; the first wrong item is told. */
export function parseList<T>(text: string, parseItem: (item: string) => Parsed<T>): Parsed<readonly T[]> {
  const items = splitList(text);
  if (items.length === 0) return wrong('list_empty', 'has separators but no item. Give an item or leave it empty.');
  if (items.length > maxItems) return wrong('list_too_long', `has ${items.length} items. Give at most ${maxItems}.`);
  const values: T[] = [];
  for (const [index, item] of items.entries()) {
    const result = parseItem(item);
    if (!result.ok) return wrong(result.reason, `(item ${index + 1}) ${result.message}`);
    values.push(result.value);
  }
  return parsed(values);
}
