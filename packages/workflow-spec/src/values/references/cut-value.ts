import { limits } from '../../model/limits';
import { compilePattern, literalPattern } from '../../source/text/compile-pattern';
import type { Operator } from './reference';

type Cut = Extract<Operator, '#' | '##' | '%' | '%%' | ':' | 'length'>;

const cuts: ReadonlySet<string> = new Set<Cut>(['#', '##', '%', '%%', ':', 'length']);
const rangePattern = /^ *(-?\d{1,9}) *(?:: *(-?\d{1,9}) *)?$/;

/** Whether the operator takes a part of a value, or its length. */
export function isCut(sign: Operator): sign is Cut {
  return cuts.has(sign);
}

/** Returns a part of a value, as in a shell: `${NAME#pattern}`, `${NAME%pattern}`, `${NAME:1:2}`; or its length. */
export function cutValue(value: string, sign: Cut, word: string): string | undefined {
  if (sign === 'length') return String(Array.from(value).length);
  if (sign === ':') return cutRange(Array.from(value), word);
  if (word.length > limits.patternLength) return undefined;
  const isShortest = sign.length === 1;
  const pattern = toExpression(word, sign.startsWith('#') && isShortest);
  const rest = sign === '%%' ? '(.*?)' : '(.*)';
  const whole = compilePattern(sign.startsWith('#') ? `(?s)^(?:${pattern})${rest}$` : `(?s)^${rest}(?:${pattern})$`);
  const matcher = whole?.matcher(value);
  return matcher?.find() === true ? (matcher.group(1) ?? '') : value;
}

function cutRange(characters: readonly string[], word: string): string | undefined {
  const [, offset, length] = rangePattern.exec(word) ?? [];
  if (offset === undefined) return undefined;
  const start = Number(offset) < 0 ? characters.length + Number(offset) : Number(offset);
  if (start < 0) return '';
  const end = length === undefined ? undefined : Number(length) < 0 ? Number(length) : start + Number(length);
  return characters.slice(start, end).join('');
}

/** Returns a pattern of file names as a regular expression. */
function toExpression(pattern: string, isShortest: boolean): string {
  return pattern.replaceAll(/\\(.)|\[([!^]?)(\]?[^\]]*)\]|[\s\S]/g, (found: string, ...groups: unknown[]) => {
    const [escaped, negated, members] = groups as readonly (string | undefined)[];
    if (escaped !== undefined) return literalPattern(escaped);
    if (members !== undefined) return `[${negated ? '^' : ''}${members.replaceAll(/[\\[\]^]/g, '\\$&')}]`;
    if (found === '*') return isShortest ? '.*?' : '.*';
    return found === '?' ? '.' : literalPattern(found);
  });
}
