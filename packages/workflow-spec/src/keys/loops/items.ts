import type { JsonValue } from '../../model/json';
import type { Items } from '../../model/step';
import { limits } from '../../model/limits';
import { reportWrongKind } from '../../shapes/readers';
import { namedShape, shape, type Shape } from '../../shapes/shape';
import { asWritten, hasReference, reportInvalid, listShape, wholeNumber } from '../../shapes/shapes';
import { splitWords } from '../../source/text/words';
import { getKind, getText, type YamlValue } from '../../source/yaml/yaml-value';

/** The number of concurrent runs or iterations. */
export const defaultConcurrent = 10;
export const concurrent = wholeNumber(1, limits.concurrent);

const list = listShape(asWritten, { limit: limits.items, code: 'invalid_value', what: 'items' });

/**
 * Items as a list, or as a string that yields them when the step runs. `problem` checks a string without references.
 */
function itemsShape(name: string, problem: (text: string) => string | undefined): Shape<Items> {
  const read = (value: YamlValue): Items | undefined => {
    if (getKind(value) === 'list') return list.read(value);
    const text = getText(value);
    if (text === undefined) return reportWrongKind(value, 'a list, or a string that yields one');
    const found = hasReference(value) ? undefined : problem(text);
    return found === undefined ? text : reportInvalid(value, found);
  };
  return namedShape(
    name,
    shape(read, (book) => ({ anyOf: [list.schema(book), { type: ['string', 'number', 'boolean'] }] })),
  );
}

/** A string is read as {@link readItems} does with `words`. */
export const parallelItems = itemsShape('ParallelItems', (text) => {
  const found = jsonItems(text) ?? textItems(text);
  if (!found) return 'has a quote that is not closed';
  return found.length > limits.items ? `may have ${limits.items} entries at most` : undefined;
});

/** A string must be a JSON array. */
export const foreachItems = itemsShape('ForeachItems', (text) => {
  const found = jsonItems(text);
  if (!found) return 'must be a list, or a string that contains a JSON array';
  return found.length > limits.items ? `may have ${limits.items} entries at most` : undefined;
});

export interface ItemsProblem {
  readonly problem: string;
}

/**
 * Reads the items of a string whose references are replaced: a JSON array. With `words` it may also be one JSON object,
 * which is one item; else several lines, else parts between commas, each trimmed and none of them empty; else words, where
 * quotes group. At most 1,000.
 */
export function readItems(text: string, { words }: { readonly words: boolean }): readonly JsonValue[] | ItemsProblem {
  const found = jsonItems(text) ?? (words ? textItems(text) : undefined);
  if (found === undefined) {
    return { problem: words ? 'the items have a quote that is not closed' : 'the items are no JSON array' };
  }
  return found.length > limits.items ? { problem: `there are more than ${limits.items} items` } : found;
}

/** Undefined when a quote is not closed. */
function textItems(text: string): readonly JsonValue[] | undefined {
  const json = parseJson(text);
  if (typeof json === 'object' && json !== null) return [json];
  const lines = nonEmpty(text.split('\n'));
  if (lines.length > 1) return lines;
  return text.includes(',') ? nonEmpty(text.split(',')) : splitWords(text)?.map((word) => word.text);
}

function nonEmpty(parts: readonly string[]): readonly string[] {
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function jsonItems(text: string): readonly JsonValue[] | undefined {
  const found = parseJson(text);
  return Array.isArray(found) ? (found as readonly JsonValue[]) : undefined;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Most strings are not JSON.
    return undefined;
  }
}
