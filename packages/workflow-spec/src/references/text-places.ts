import { isScalar } from 'yaml';
import type { Offsets, Spot } from '../finding-report';
import type { Reference } from '../values/reference';
import { nodeRange } from '../yaml/node-place';
import type { YamlValue } from '../yaml/yaml-value';

/** Where a reference stands in the file; `part` counts its words, from 0, and without it the whole is meant. */
export type PlaceOf = (reference: Reference, part?: number) => Spot;

/**
 * Finds the references of a scalar in the text that its author wrote, where quotes, escapes and indentation stand in
 * between. Where that cannot be told, as for an alias, the place is that of the whole scalar.
 */
export function placesIn(value: YamlValue, text: string): PlaceOf {
  const { range, path, node, context } = value;
  const whole: Spot = { range, path };
  const [start, end] = nodeRange(node);
  if (!isScalar(node) || start !== range[0] || end !== range[1]) return () => whole;
  const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
  const written = context.text.slice(start, end);
  const inFile = marks(written, isBlock ? written.indexOf('\n') : 0);
  const inText = marks(text, 0);
  if (inFile.length !== inText.length) return () => whole;
  const offsets = new Map(inText.map((at, index) => [at, inFile[index] ?? 0]));
  return (reference, part) => {
    const offset = offsets.get(reference.start);
    if (offset === undefined) return whole;
    const from = start + offset;
    const place = part === undefined ? undefined : reference.places[part];
    if (written.startsWith(text.slice(reference.start, reference.end), offset)) {
      const [first, last] = place ?? [reference.start, reference.end];
      return at(from + first - reference.start, from + last - reference.start, path);
    }
    const close = written.indexOf('}', offset);
    return close === -1 ? whole : at(from, start + close + 1, path);
  };
}

function at(start: number, end: number, path: string): Spot {
  const range: Offsets = [start, end];
  return { range, path };
}

function marks(text: string, from: number): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf('${', from); at !== -1; at = text.indexOf('${', at + 2)) found.push(at);
  return found;
}
