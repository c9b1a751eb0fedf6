import path from 'node:path';
import { matchesSegment } from './match-segment';

/** Whether a `.gitignore` file excludes this file of the root folder. `.gcloudignore` has the same syntax. */
export function gitIgnores(lines: readonly string[], name: string): boolean {
  return lastMatch(lines.map(gitPattern), name);
}

/** The same for `.dockerignore`, whose patterns are normalized paths from the root folder. */
export function dockerIgnores(lines: readonly string[], name: string): boolean {
  return lastMatch(lines.map(dockerPattern), name);
}

interface Pattern {
  readonly excludes: boolean;
  /** The pattern for names in the root folder; `undefined` if it cannot match any of them. */
  readonly segment: string | undefined;
}

function lastMatch(patterns: readonly Pattern[], name: string): boolean {
  const last = patterns.findLast(({ segment }) => segment !== undefined && matchesSegment(segment, name));
  return last?.excludes ?? false;
}

const none: Pattern = { excludes: false, segment: undefined };

function gitPattern(line: string): Pattern {
  if (line.startsWith('#')) return none;
  const text = withoutTrailingSpaces(line);
  const excludes = !text.startsWith('!');
  const pattern = excludes ? text : text.slice(1);
  // A trailing slash matches folders only.
  if (pattern.endsWith('/')) return none;
  // Git treats more than two asterisks as two.
  return { excludes, segment: topSegment(pattern.replace(/^\//, '').replaceAll(/\*{3,}/g, '**')) };
}

function dockerPattern(line: string): Pattern {
  if (line.startsWith('#')) return none;
  const text = line.trim();
  const excludes = !text.startsWith('!');
  const pattern = (excludes ? text : text.slice(1)).trim();
  if (pattern === '') return none;
  const cleaned = path.posix.normalize(pattern).replace(/\/$/, '');
  return { excludes, segment: topSegment(cleaned.replace(/^\//, '')) };
}

// `**/` matches any number of folders, including none.
function topSegment(pattern: string): string | undefined {
  const segment = pattern.replace(/^(?:\*\*\/)+/, '');
  return segment === '' || segment.includes('/') ? undefined : segment;
}

// A backslash preserves the space after it.
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}
