import { RE2JS } from 're2js';

/** RE2 syntax with linear matching time, so that no pattern of a file can hang the server. */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    // The library throws for an invalid pattern; callers report it.
    return undefined;
  }
}

/** The pattern that matches this text and no other. */
export function literalPattern(text: string): string {
  return RE2JS.quote(text);
}
