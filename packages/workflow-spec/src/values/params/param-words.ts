import type { ParamDef } from '../../model/param';
import { quote } from '../../source/text/quote';
import { quoteWord, splitWords, type Word } from '../../source/text/words';

export const paramNamePattern = /^[A-Za-z][A-Za-z0-9_]*$/;

export function invalidParamName(name: string): string {
  return `parameter ${quote(name)} must have a name of letters, digits and underscores that begins with a letter`;
}

export interface ParamWord {
  readonly name?: string;
  readonly value: string;
}

/** Returns `undefined` when a quote is not closed. */
export function splitParams(line: string): readonly ParamWord[] | undefined {
  return splitWords(line)?.map(toParamWord);
}

/** Reads one parameter: the value of `name=two words` needs no quotes here. */
export function toSingleParam(text: string): ParamWord {
  const equalsAt = text.indexOf('=');
  return toParamWord(equalsAt === -1 ? { text } : { text, equalsAt });
}

/** Returns the defaults on one line that {@link splitParams} can read; undefined when there are none. */
export function formatDefaults(definitions: readonly ParamDef[]): string | undefined {
  const words = definitions.flatMap(({ name, default: value }) => {
    if (value === undefined) return [];
    return [`${name === undefined ? '' : `${name}=`}${quoteWord(String(value))}`];
  });
  return words.length === 0 ? undefined : words.join(' ');
}

function toParamWord({ text, equalsAt }: Word): ParamWord {
  const name = text.slice(0, equalsAt ?? 0);
  if (equalsAt === undefined || !paramNamePattern.test(name)) return { value: text };
  return { name, value: text.slice(equalsAt + 1) };
}
