/** Longer expressions count as arithmetic without a look at their end. */
const maxLookahead = 4096;

/** Whether the parenthesis at this offset begins `((…))`, and not a subshell inside another. */
export function isArithmetic(code: string, at: number): boolean {
  if (!code.startsWith('((', at)) return false;
  let depth = 0;
  const limit = Math.min(code.length, at + maxLookahead);
  for (let index = at; index < limit; index += 1) {
    const character = code.charAt(index);
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 1 && character === ')') return code.charAt(index + 1) === ')';
  }
  return true;
}

/** Reads the parameter of `${…}`: up to where its word begins, and whether the shell reads that as a number. */
export function readExpansion(code: string, start: number): { readonly end: number; readonly isNumeric: boolean } {
  const name = /[!#]?(?:[A-Za-z_]\w*|\d+|[@*#?!$-])?/y;
  name.lastIndex = start;
  const end = start + (name.exec(code)?.[0].length ?? 0);
  const operator = code.charAt(end);
  const isOffset = operator === ':' && !/[-=+?]/.test(code.charAt(end + 1));
  return { end, isNumeric: operator === '[' || isOffset };
}

export interface HereDelimiter {
  readonly delimiter: readonly [start: number, end: number];
  /** The word without its quotes. */
  readonly word: string;
  /** Whether quotes keep the shell from expanding the document. */
  readonly isLiteral: boolean;
}

/** Reads the delimiter of a here-document. */
export function readHereDelimiter(code: string, start: number): HereDelimiter {
  const written = /[ \t]*((?:\\[^\n]|'[^'\n]*'|"[^"\n]*"|[^\s;&|()<>'"\\])*)/y;
  written.lastIndex = start;
  const [whole = '', quoted = ''] = written.exec(code) ?? [];
  const end = start + whole.length;
  return {
    delimiter: [end - quoted.length, end],
    word: quoted.replaceAll(/\\(.)|['"]/g, '$1'),
    isLiteral: /['"\\]/.test(quoted),
  };
}
