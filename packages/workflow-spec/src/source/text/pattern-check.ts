import { limits } from '../../model/limits';
import { compilePattern } from './compile-pattern';
import { patternSize } from './pattern-size';

/** Describes the problem of a regular expression, worded to follow `field 'x':`; undefined when it is valid. */
export type PatternCheck = (pattern: string) => string | undefined;

/**
 * Compiling costs far more than reading, so the total size of the patterns of a file is limited, and each is checked
 * once.
 */
export function createPatternCheck(total: number = limits.patternSizes): PatternCheck {
  const known = new Map<string, string | undefined>();
  let remaining = total;
  return (pattern) => {
    if (known.has(pattern)) return known.get(pattern);
    const size = patternSize(pattern) + baseSize;
    const tooLarge = sizeProblem(pattern, size, remaining);
    if (tooLarge === undefined) remaining -= size;
    const problem = tooLarge ?? (compilePattern(pattern) ? undefined : invalidPattern);
    known.set(pattern, problem);
    return problem;
  };
}

const invalidPattern = 'not a valid RE2 regular expression';
/** The minimum cost of a pattern. */
const baseSize = 50;

function sizeProblem(pattern: string, size: number, remaining: number): string | undefined {
  if (pattern.length > limits.patternLength) {
    return `a regular expression may have ${limits.patternLength} characters at most`;
  }
  if (size > limits.patternSize)
    return `a regular expression may have ${limits.patternSize} parts at most, with repetitions expanded`;
  return size > remaining ? 'the regular expressions of the file are too many or too large in total' : undefined;
}
