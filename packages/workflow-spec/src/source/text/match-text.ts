import { compilePattern } from './compile-pattern';
import { createPatternCheck } from './pattern-check';

const prefix = 're:';

/**
 * Whether a string equals `expected` or, after `re:`, contains a match of the regular expression. Undefined when the
 * expression is invalid or larger than a file may contain. The time is linear in the length of the string.
 */
export function matchesExpected(expected: string, text: string): boolean | undefined {
  return expected.startsWith(prefix) ? matchesPattern(expected.slice(prefix.length), text, '') : text === expected;
}

/** Like {@link matchesExpected}, and also true when one line of the string matches by itself. */
export function matchesLine(expected: string, text: string): boolean | undefined {
  if (expected.startsWith(prefix)) return matchesPattern(expected.slice(prefix.length), text, '(?m)');
  return text === expected || text.split(/\r?\n/).includes(expected);
}

function matchesPattern(pattern: string, text: string, flags: string): boolean | undefined {
  // The pattern may come from a reference.
  if (createPatternCheck()(pattern) !== undefined) return undefined;
  return compilePattern(`${flags}${pattern}`)?.matcher(text).find();
}

/** Whether an output contains the string or, after `re:`, a line that matches the regular expression. */
export function matchesOutput(pattern: string, output: string): boolean {
  if (!pattern.startsWith(prefix)) return output.includes(pattern);
  return (
    compilePattern(`(?m)${pattern.slice(prefix.length)}`)
      ?.matcher(output)
      .find() ?? false
  );
}
