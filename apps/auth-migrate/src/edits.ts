import { isMap, isScalar, type Scalar } from 'yaml';
import type { AuthStep, Entry } from './auth-steps';
import type { Edit } from './finding';

/** Comments that name the version of a pinned action, such as `# v2.1.8` or `# tag=v2`. */
const versionComment = /^[ \t]*#[ \t]*(?:tag=|pin@|ratchet:\S*@)?v?\d[\w.]*[ \t]*$/;

/** Replaces the text of a scalar, within its quotes if it has any. Undefined for a scalar with escapes. */
export function replaceScalar(text: string, scalar: Scalar, from: string, to: string): Edit | undefined {
  const [start, end] = scalar.range ?? [0, 0];
  const at = text.slice(start, end).indexOf(from);
  return at < 0 ? undefined : { start: start + at, end: start + at + from.length, text: to };
}

/** Replaces the action, and removes a comment that names the version of the old one. */
export function replaceAction(text: string, { uses, action }: AuthStep, to: string): Edit | undefined {
  const edit = replaceScalar(text, uses, action, to);
  if (edit === undefined) return undefined;
  const [, end] = uses.range ?? [0, 0];
  const rest = text.slice(end, lineEnd(text, end)).replace(/\r$/, '');
  if (!versionComment.test(rest)) return edit;
  return { start: edit.start, end: end + rest.length, text: to + text.slice(edit.end, end) };
}

/** Removes the lines of an entry. Undefined if it shares a line with something else, or has an anchor. */
export function removeEntry(text: string, { key, value }: Entry): Edit | undefined {
  const keyStart = key.range?.[0];
  const valueEnd = isScalar(value) || isMap(value) ? value.range?.[1] : undefined;
  if (keyStart === undefined || valueEnd === undefined || hasAnchor(value)) return undefined;
  const start = text.lastIndexOf('\n', keyStart - 1) + 1;
  const end = endsLine(text, valueEnd) ? valueEnd : Math.min(lineEnd(text, valueEnd) + 1, text.length);
  const isAlone = text.slice(start, keyStart).trim() === '' && /^\s*(?:#.*)?\s*$/.test(text.slice(valueEnd, end));
  return isAlone ? { start, end, text: '' } : undefined;
}

/** Replaces an entry that is in one line. Undefined for a value of several lines or with an anchor. */
export function replaceEntry(text: string, { key, value }: Entry, to: string): Edit | undefined {
  const start = key.range?.[0];
  const end = isScalar(value) ? value.range?.[1] : undefined;
  if (start === undefined || end === undefined || hasAnchor(value)) return undefined;
  return text.slice(start, end).includes('\n') ? undefined : { start, end, text: to };
}

/** Adds lines before that of an entry. Undefined if the entry shares its line with something else. */
export function insertBefore(text: string, { key }: Entry, ...lines: readonly string[]): Edit | undefined {
  const keyStart = key.range?.[0] ?? 0;
  const start = text.lastIndexOf('\n', keyStart - 1) + 1;
  const indent = text.slice(start, keyStart);
  const end = text[lineEnd(text, keyStart) - 1] === '\r' ? '\r\n' : '\n';
  if (indent.trim() !== '') return undefined;
  return { start, end: start, text: lines.map((line) => `${indent}${line}${end}`).join('') };
}

function hasAnchor(value: unknown): boolean {
  return (isScalar(value) || isMap(value)) && Boolean(value.anchor);
}

/** A block scalar ends after its last line feed. */
function endsLine(text: string, offset: number): boolean {
  return offset > 0 && text[offset - 1] === '\n';
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}
