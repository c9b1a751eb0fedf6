import { isScalar } from 'yaml';
import type { Offsets, SourceLocation } from '../../source/findings/source-location';
import type { Reference } from '../../values/references/reference';
import { nodeRange } from '../../source/yaml/node-location';
import type { YamlValue } from '../../source/yaml/yaml-value';

/** The location of a reference, or of its `part`, counted from 0. */
export type LocateReference = (reference: Reference, part?: number) => SourceLocation;

/**
 * Locates the references of a scalar in the source text, despite quotes, escapes and indentation. Falls back to the
 * location of the whole scalar where that is ambiguous, such as for an alias.
 */
export function locateReferences(value: YamlValue, text: string): LocateReference {
  const { range, path, node, context } = value;
  const whole: SourceLocation = { range, path };
  const [start, end] = nodeRange(node);
  if (!isScalar(node) || start !== range[0] || end !== range[1]) return () => whole;
  const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
  const written = context.text.slice(start, end);
  const inFile = findReferenceStarts(written, isBlock ? written.indexOf('\n') : 0);
  const inText = findReferenceStarts(text, 0);
  if (inFile.length !== inText.length) return () => whole;
  const offsets = new Map(inText.map((toLocation, index) => [toLocation, inFile[index] ?? 0]));
  return (reference, part) => {
    const offset = offsets.get(reference.start);
    if (offset === undefined) return whole;
    const from = start + offset;
    const partRange = part === undefined ? undefined : reference.partRanges[part];
    if (written.startsWith(text.slice(reference.start, reference.end), offset)) {
      const [first, last] = partRange ?? [reference.start, reference.end];
      return toLocation(from + first - reference.start, from + last - reference.start, path);
    }
    const close = written.indexOf('}', offset);
    return close === -1 ? whole : toLocation(from, start + close + 1, path);
  };
}

function toLocation(start: number, end: number, path: string): SourceLocation {
  const range: Offsets = [start, end];
  return { range, path };
}

function findReferenceStarts(text: string, from: number): readonly number[] {
  const found: number[] = [];
  for (let toLocation = text.indexOf('${', from); toLocation !== -1; toLocation = text.indexOf('${', toLocation + 2))
    found.push(toLocation);
  return found;
}
