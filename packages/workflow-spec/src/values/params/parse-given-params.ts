import { limits } from '../../model/limits';
import { splitParams, toSingleParam, type ParamWord } from './param-words';

/**
 * Parses the parameters of a start request: a JSON object or array, or words as in a shell. In a JSON object a key of
 * digits is a position.
 */
export function parseGivenParams(given: string): readonly ParamWord[] | { readonly problem: string } {
  if (given.length > limits.textBytes) return { problem: `params is longer than ${limits.textBytes} characters` };
  const isJson = /^\s*[[{]/.test(given);
  const words = isJson ? parseJson(given) : splitParams(given);
  if (words === undefined)
    return { problem: isJson ? 'params is not valid JSON' : 'params has a quote that is not closed' };
  if (words.length > limits.params) return { problem: `params contains more than ${limits.params} values` };
  return words;
}

function parseJson(given: string): readonly ParamWord[] | undefined {
  try {
    const parsed: unknown = JSON.parse(given);
    return Array.isArray(parsed) ? parsed.flatMap(fromItem) : fromObject(parsed);
  } catch {
    // The text is not JSON, or is nested too deeply to be serialized again.
    return undefined;
  }
}

function fromItem(item: unknown): readonly ParamWord[] {
  if (typeof item === 'string') return [toSingleParam(item)];
  return item !== null && typeof item === 'object' && !Array.isArray(item)
    ? fromObject(item)
    : [{ value: toText(item) }];
}

function fromObject(parsed: unknown): readonly ParamWord[] {
  return Object.entries(parsed ?? {}).map(([name, value]) => ({ name, value: toText(value) }));
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}
