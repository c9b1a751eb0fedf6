import { quote } from '../../source/text/quote';

/** A name that can be part of a reference: `${steps.id.outputs.NAME}`. */
export const outputNamePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function outputNameProblem(name: string): string | undefined {
  if (outputNamePattern.test(name)) return undefined;
  return `invalid output name ${quote(name)}: letters, digits and underscores, not beginning with a digit`;
}
