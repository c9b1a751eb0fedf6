import { compilePattern } from './compile-pattern';
import { createPatternCheck } from './pattern-check';

const prefix = 're:';

/**
 * Whether a text is as expected: the same or, after `re:`, found by the regular expression. Nothing when what follows
 * `re:` is no expression, or a larger one than a file may hold. Takes time linear in the text.
 */
export function matchesExpected(expected: string, text: string): boolean | undefined {
  if (!expected.startsWith(prefix)) return text === expected;
  const pattern = expected.slice(prefix.length);
  // A reference may have brought in any text.
  if (createPatternCheck()(pattern) !== undefined) return undefined;
  return compilePattern(pattern)?.matcher(text).find();
}

/** Whether an output holds the text, or after `re:` a line that the regular expression finds. */
export function matchesOutput(pattern: string, output: string): boolean {
  if (!pattern.startsWith(prefix)) return output.includes(pattern);
  return (
    compilePattern(`(?m)${pattern.slice(prefix.length)}`)
      ?.matcher(output)
      .find() ?? false
  );
}
