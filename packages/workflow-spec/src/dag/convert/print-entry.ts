import { stringify } from 'yaml';
import type { JsonValue } from '../../model/json';
import type { SourcePair } from './source-pairs';

/** Prints the lines of an entry at a column. If the file contains its value, that text is used, with its comments. */
export function printEntry(
  [key, value]: readonly [string, JsonValue],
  indent: number,
  source: SourcePair | undefined,
): string {
  const start = ' '.repeat(indent);
  if (source === undefined) return start + shiftRest(stringify({ [key]: value }, { lineWidth: 0 }), indent);
  const comments = source.comments.map((line) => `${start}${line}\n`).join('');
  return `${comments}${start}${key}${shiftRest(source.tail, indent - source.indent)}\n`;
}

/** Prints an entry of a flow map. */
export function printFlowEntry([key, value]: readonly [string, JsonValue], source: SourcePair | undefined): string {
  if (source !== undefined) return `${key}${source.tail}`;
  const text = stringify({ [key]: value }, { lineWidth: 0, collectionStyle: 'flow' }).trim();
  return text.slice(1, -1).trim();
}

/** Moves every line except the first and empty ones to the right, or to the left. */
function shiftRest(text: string, by: number): string {
  const [first = '', ...rest] = text.split('\n');
  const move = (line: string): string => {
    if (line.trim() === '') return line;
    return by >= 0 ? ' '.repeat(by) + line : line.slice(Math.min(-by, line.search(/\S/)));
  };
  return [first, ...rest.map(move)].join('\n');
}
