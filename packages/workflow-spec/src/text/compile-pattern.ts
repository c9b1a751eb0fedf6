import { RE2JS } from 're2js';

/** A pattern with RE2's syntax and linear time: a file cannot hold an expression that never ends. */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    // The library throws for what is not a pattern; callers say so at its place.
    return undefined;
  }
}
