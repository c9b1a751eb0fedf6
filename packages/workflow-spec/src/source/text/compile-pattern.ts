import { RE2JS } from 're2js';

/** Compiles RE2 syntax, which matches in linear time, so that no pattern of a file can hang the server. */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    // The library throws for an invalid pattern; callers report it.
    return undefined;
  }
}

/** Returns the pattern that matches only this text. */
export function literalPattern(text: string): string {
  return RE2JS.quote(text);
}
