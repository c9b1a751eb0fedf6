import type { JsonValue } from '../../model/json';
import { isList, mapTexts } from '../references/map-texts';
import { splitField } from '../references/resolve-text';
import type { Scope } from '../references/scope';
import { quoteWord, splitWords, type Word } from '../../source/text/words';
import { paramNamePattern, type ParamWord } from './param-words';

/**
 * Returns the parameters that a step passes to another DAG, with their references replaced. Words are split before: a
 * value remains one value of one parameter, for any content. Only a text that is a single reference, and JSON that
 * needs its values to be JSON, are parsed as a whole afterwards. Throws `resolved_text_too_long`.
 */
export function resolveGivenParams(given: JsonValue, scope: Scope): string {
  if (typeof given === 'string') return resolveLine(given, scope);
  const resolve = (text: string): string => mask(text, scope).resolved;
  if (!isList(given)) return JSON.stringify(mapTexts(given, resolve));
  return formatWords(given.flatMap((item) => toWords(item, scope)));
}

function resolveLine(line: string, scope: Scope): string {
  const { masked, resolved, restore, isReference } = mask(line, scope);
  if (isReference) return resolved;
  if (/^\s*[[{]/.test(masked)) {
    const json = parseJson(masked);
    return json === undefined ? resolved : JSON.stringify(mapTexts(json, restore));
  }
  const words = splitWords(masked);
  return words === undefined ? resolved : formatWords(words.map((word) => toParamWord(word, restore)));
}

function toWords(item: JsonValue, scope: Scope): readonly ParamWord[] {
  if (typeof item === 'string') {
    const { masked, restore } = mask(item, scope);
    const equalsAt = masked.indexOf('=');
    return [toParamWord(equalsAt === -1 ? { text: masked } : { text: masked, equalsAt }, restore)];
  }
  if (item === null || typeof item !== 'object' || isList(item)) return [{ value: toText(item) }];
  const resolve = (text: string): string => mask(text, scope).resolved;
  return Object.entries(item).map(([name, value]) => ({ name, value: toText(mapTexts(value, resolve)) }));
}

function toParamWord({ text, equalsAt }: Word, restore: (masked: string) => string): ParamWord {
  const name = restore(text.slice(0, equalsAt ?? 0));
  if (equalsAt === undefined || !paramNamePattern.test(name)) return { value: restore(text) };
  return { name, value: restore(text.slice(equalsAt + 1)) };
}

interface Masked {
  /** The text with a placeholder for each value, which has no blank, quote or equals sign. */
  readonly masked: string;
  readonly restore: (masked: string) => string;
  readonly resolved: string;
  readonly isReference: boolean;
}

function mask(text: string, scope: Scope): Masked {
  const parts = splitField(text, scope);
  const mark = unusedMark(text);
  const values: string[] = [];
  const pieces = parts.map(({ kind, text: part }) =>
    kind === 'literal' ? part : `${mark}${values.push(part) - 1}${mark}`,
  );
  const placeholder = new RegExp(`${mark}(\\d+)${mark}`, 'g');
  return {
    masked: pieces.join(''),
    restore: (masked) => masked.replace(placeholder, (_, index: string) => values[Number(index)] ?? ''),
    resolved: parts.map((part) => part.text).join(''),
    isReference: values.length === 1 && parts.every((part) => part.kind === 'value' || part.text.trim() === ''),
  };
}

/** Returns a character of the private use area. */
function unusedMark(text: string): string {
  let code = 0xe000;
  while (text.includes(String.fromCharCode(code))) code += 1;
  return String.fromCharCode(code);
}

function formatWords(words: readonly ParamWord[]): string {
  return words
    .map(({ name, value }) => (name === undefined ? quoteWord(value) : `${name}=${quoteWord(value)}`))
    .join(' ');
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A reference stands where JSON expects a value.
    return undefined;
  }
}

const toText = (value: JsonValue): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
