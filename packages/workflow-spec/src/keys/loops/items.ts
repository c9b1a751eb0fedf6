import type { JsonValue } from '../../model/json';
import type { Items } from '../../model/step';
import { limits } from '../../model/limits';
import { reportWrongKind } from '../../shapes/readers';
import { namedShape, shape, type Shape } from '../../shapes/shape';
import { anyJson, hasReference, reportInvalid, listShape, wholeNumber } from '../../shapes/shapes';
import { splitWords } from '../../source/text/words';
import { getKind, getText, type YamlValue } from '../../source/yaml/yaml-value';

/** The number of concurrent runs or iterations. */
export const defaultConcurrent = 10;
export const concurrent = wholeNumber(1, limits.concurrent);

const list = listShape(anyJson, { limit: limits.items, code: 'invalid_value', what: 'items' });

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

/** A string is a JSON array or a list of words. */
export const parallelItems = itemsShape('ParallelItems', (text) => {
  const found = jsonItems(text) ?? splitWords(text);
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
 * Reads the items of a string whose references are replaced: a JSON array, or with `words` also a list of words.
 * Accepts at most 1,000 items.
 */
export function readItems(text: string, { words }: { readonly words: boolean }): readonly JsonValue[] | ItemsProblem {
  const found = (jsonItems(text) as readonly JsonValue[] | undefined) ?? (words ? wordItems(text) : undefined);
  if (found === undefined) {
    return { problem: words ? 'the items have a quote that is not closed' : 'the items are no JSON array' };
  }
  return found.length > limits.items ? { problem: `there are more than ${limits.items} items` } : found;
}

function wordItems(text: string): readonly string[] | undefined {
  return splitWords(text)?.map((word) => word.text);
}

function jsonItems(text: string): readonly unknown[] | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? (found as readonly unknown[]) : undefined;
  } catch {
    // A string that is not JSON is not a list of items.
    return undefined;
  }
}
