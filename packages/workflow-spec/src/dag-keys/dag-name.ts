import { limits } from '../limits';

/** At most 40 letters, digits, `.`, `_` and `-`; not dots alone, which are folders. */
export const dagNamePattern = /^(?!\.+$)[A-Za-z0-9._-]{1,40}$/;

export function isDagName(text: string): boolean {
  return dagNamePattern.test(text);
}

/** What is wrong with a DAG name, as a sentence without a subject in quotes; nothing for a good one. */
export function dagNameProblem(name: string): string | undefined {
  if (isDagName(name)) return undefined;
  if (name.length > limits.dagNameLength)
    return `name must be less than ${limits.dagNameLength} characters, or exactly as many`;
  return 'name must consist of alphanumeric characters, dashes, dots, and underscores, and not of dots alone';
}
