import { compilePattern } from '../../source/text/compile-pattern';

export class UnusablePattern extends Error {}

/** For Ajv: compiles the patterns of a schema with RE2's syntax, so that they match in linear time. */
export const linearPattern = Object.assign(
  (pattern: string) => {
    const compiled = compilePattern(pattern);
    if (!compiled) throw new UnusablePattern();
    return { test: (text: string) => compiled.matcher(text).find() };
  },
  { code: 'linearPattern' },
);
