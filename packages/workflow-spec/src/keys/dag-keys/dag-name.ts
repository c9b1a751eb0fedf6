import { askDagName } from '../../model/ask-dag';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';

/** Dots alone are refused: they are folder names. */
export const dagNamePattern = /^(?!\.+$)[A-Za-z0-9._-]{1,40}$/;

export function isDagName(text: string): boolean {
  return dagNamePattern.test(text);
}

/** Describes the problem of a DAG name; undefined when it is valid. */
export function dagNameProblem(name: string): string | undefined {
  if (name === askDagName) return `the name ${quote(name)} is reserved for the questions of agents`;
  if (isDagName(name)) return undefined;
  if (name.length > limits.dagNameLength)
    return `name must be less than ${limits.dagNameLength} characters, or exactly as many`;
  return 'name must consist of alphanumeric characters, dashes, dots, and underscores, and not of dots alone';
}
