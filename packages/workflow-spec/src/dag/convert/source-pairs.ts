import { isCollection, isMap, isNode, isScalar, type Pair, type YAMLMap } from 'yaml';
import type { JsonValue } from '../../model/json';

/** An entry of a map with its source text. */
export interface SourcePair {
  readonly key: string;
  /** The text with the comments and blank lines above it, from the start of a line, and the line break at its end. */
  readonly chunk: string;
  /** The comment lines above it. */
  readonly comments: readonly string[];
  /** The text after the key, from the colon on, with a comment behind the value. */
  readonly tail: string;
  /** Column of the key, from 0. */
  readonly indent: number;
  readonly value: JsonValue;
  readonly node: unknown;
  /** The offset where its key ends. */
  readonly keyEnd: number;
}

/** Returns the entries of a map with their text, which may begin at `from`; undefined for a map whose keys are not plain. */
export function sourcePairs(text: string, map: YAMLMap, from?: number): readonly SourcePair[] | undefined {
  const bounds = map.items.map((pair) => pairBounds(text, pair, map.flow === true));
  const pairs: SourcePair[] = [];
  for (const [index, bound] of bounds.entries()) {
    if (bound === undefined) return undefined;
    const indent = bound.start - lineStart(text, bound.start);
    const before = bounds[index - 1];
    const start = before?.end ?? from;
    const above = start === undefined || map.flow === true ? '' : text.slice(start, lineStart(text, bound.start));
    const lines = above.split('\n').filter((line) => line.trim().startsWith('#'));
    pairs.push({
      key: bound.key,
      chunk: `${above}${' '.repeat(indent)}${withLineBreak(text.slice(bound.start, bound.end))}`,
      comments: lines.map((line) => line.trim()),
      tail: text.slice(bound.keyEnd, bound.end).trimEnd(),
      indent,
      value: toJson(bound.pair.value),
      node: bound.pair.value,
      keyEnd: bound.keyEnd,
    });
  }
  return pairs;
}

function pairBounds(text: string, pair: Pair, isFlow: boolean) {
  if (!isScalar(pair.key) || !pair.key.range || pair.key.tag !== undefined || pair.key.anchor !== undefined) {
    return undefined;
  }
  const [start, keyEnd] = pair.key.range;
  const valueEnd = isNode(pair.value) && pair.value.range ? pair.value.range[1] : keyEnd;
  const colon = text.indexOf(':', keyEnd) + 1;
  const end = Math.max(valueEnd, colon);
  return { pair, key: String(pair.key.value), start, keyEnd, end: isFlow ? end : lineEnd(text, end) };
}

/** A block scalar ends after its line break, every other value before a comment or a line break. */
function lineEnd(text: string, end: number): number {
  if (text[end - 1] === '\n') return end;
  const next = text.indexOf('\n', end);
  return next === -1 ? text.length : next + 1;
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function withLineBreak(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function toJson(node: unknown): JsonValue {
  if (isScalar(node)) return (node.value ?? null) as JsonValue;
  // A document of the core schema has JSON values only; aliases make this throw, and the caller leaves the step.
  return isCollection(node) ? (node.toJSON() as JsonValue) : null;
}

/** Returns the entries of a value that is a map in the text. */
export function innerPairs(text: string, pair: SourcePair): readonly SourcePair[] {
  return isMap(pair.node) ? (sourcePairs(text, pair.node, lineEnd(text, pair.keyEnd)) ?? []) : [];
}
