import type { Environment } from './run-variables';

const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/;
const restOfLine = /^[ \t]*(?:#.*)?$/;
/** Keeps its place in a text: a quote, what is between it and the next one that is not escaped, and that one. */
const quoted = { "'": /^'([^']*)'/, '`': /^`([^`]*)`/, '"': /^"((?:[^"\\]|\\[^])*)"/ } as const;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/** A line that is no assignment, counted from 1. It says nothing of the content, which may be a secret. */
export interface DotenvProblem {
  readonly line: number;
  readonly problem: string;
}

/**
 * The variables of an environment file; the last of equal names wins. A value ends with its line, or at white space
 * before `#`; in quotes it may hold line breaks. Only in double quotes `\n`, `\r`, `\t`, `\"` and `\\` are escapes, and
 * nothing is replaced in any value.
 */
export function parseDotenv(text: string): { readonly env: Environment } | DotenvProblem {
  const env = new Map<string, string>();
  const source = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  for (let at = 0, line = 1; at < source.length;) {
    const end = indexOrEnd(source, '\n', at);
    if (restOfLine.test(source.slice(at, end))) {
      at = end + 1;
      line += 1;
      continue;
    }
    const found = assignment.exec(source.slice(at, end));
    const name = found?.[1];
    if (found === null || name === undefined) return { line, problem: 'it is not NAME=value' };
    const value = readValue(source, at + found[0].length);
    if ('problem' in value) return { line, problem: value.problem };
    env.set(name, value.text);
    line += source.slice(at, value.end).split('\n').length;
    at = value.end + 1;
  }
  return { env: Object.fromEntries(env) };
}

/** `end` is where its last line ends. */
type DotenvValue = { readonly text: string; readonly end: number } | { readonly problem: string };

function readValue(source: string, start: number): DotenvValue {
  const quote = source.charAt(start);
  if (quote !== "'" && quote !== '"' && quote !== '`') {
    const end = indexOrEnd(source, '\n', start);
    // The white space before the value may be that before a comment.
    const text = source.slice(start, end).replace(source.charAt(start - 1) === '=' ? /\s#.*/ : /(?:^|\s)#.*/, '');
    return { text: text.trim(), end };
  }
  const found = quoted[quote].exec(source.slice(start));
  if (found === null) return { problem: 'a quote is not closed' };
  const end = indexOrEnd(source, '\n', start + found[0].length);
  if (!restOfLine.test(source.slice(start + found[0].length, end))) return { problem: 'text follows a closing quote' };
  return { text: quote === '"' ? unescape(found[1] ?? '') : (found[1] ?? ''), end };
}

function unescape(text: string): string {
  return text.replaceAll(/\\([^])/g, (whole, escaped: string) => escapes[escaped] ?? whole);
}

function indexOrEnd(text: string, character: string, from: number): number {
  const found = text.indexOf(character, from);
  return found === -1 ? text.length : found;
}
