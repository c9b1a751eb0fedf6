import path from 'node:path';
import { matchesSegment } from './match-segment';

/** Whether a `.gitignore` text, which `.gcloudignore` has the syntax of, leaves out this file of the top folder. */
export function gitIgnores(lines: readonly string[], name: string): boolean {
  return lastMatch(lines.map(gitPattern), name);
}

/** The same for `.dockerignore`: patterns are paths from the top folder, cleaned as paths are. */
export function dockerIgnores(lines: readonly string[], name: string): boolean {
  return lastMatch(lines.map(dockerPattern), name);
}

interface Pattern {
  readonly excludes: boolean;
  /** For names in the top folder; `undefined` where the pattern can match none of them. */
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
  // A slash at the end asks for folders only.
  if (pattern.endsWith('/')) return none;
  // To git, more than two stars are two.
  return { excludes, segment: topSegment(pattern.replace(/^\//, '').replaceAll(/\*{3,}\//g, '**/')) };
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

// `**/` stands for any number of folders, so also for none.
function topSegment(pattern: string): string | undefined {
  const segment = pattern.replace(/^(?:\*\*\/)+/, '');
  return segment === '' || segment.includes('/') ? undefined : segment;
}

// A backslash keeps the space after it.
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}
