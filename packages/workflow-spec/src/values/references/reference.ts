import { isNamespace, namespaces } from './scope';

/** A reference in a string: `${head.path…}`, `${HEAD:-word}`, or `$HEAD`. */
export interface Reference {
  readonly start: number;
  readonly end: number;
  readonly head: string;
  readonly path: readonly string[];
  readonly isBraced: boolean;
  /** Written as `${raw.params.NAME}`: in a command the value becomes a part of the shell code. */
  readonly isRaw?: true;
  /** Ranges of the head and of each part of the path, without dots and brackets. */
  readonly partRanges: readonly (readonly [start: number, end: number])[];
  /** The shell operator and the range of its word. */
  readonly operator?: { readonly sign: Operator; readonly start: number; readonly end: number };
}

/** With a colon before it, `-`, `=` and `+` count an empty value as missing. `length` is that of `${#NAME}`. */
export type Operator = ':-' | '-' | ':=' | '=' | ':+' | '+' | '#' | '##' | '%' | '%%' | ':' | 'length';

const headPattern = /[A-Za-z_][A-Za-z0-9_]*|\d+/y;
const partPattern = /\.([A-Za-z0-9_-]+)|\[(\d+)\]/y;
const operatorPattern = /:?[-=+]|##?|%%?|:(?=[ \d])/y;

/** Reads the references of one string; all calls together take linear time. */
export interface ReferenceReader {
  /** Returns the reference that begins at this `$`; undefined when there is none or it is escaped. */
  at(index: number): Reference | undefined;
  /** Whether a backslash keeps the `${` or the `$NAME` at this index literal. */
  isEscaped(index: number): boolean;
}

export function createReferenceReader(text: string): ReferenceReader {
  let braces: ReadonlyMap<number, number> | undefined;
  return {
    at: (index) => {
      if (isEscaped(text, index)) return undefined;
      if (text.charAt(index + 1) !== '{') return readBare(text, index);
      braces ??= matchBraces(text);
      return readBraced(text, index, braces.get(index));
    },
    isEscaped: (index) => {
      const isReference = text.charAt(index + 1) === '{' || matchAt(headPattern, text, index + 1) !== undefined;
      return isReference && isEscaped(text, index);
    },
  };
}

function readBare(text: string, start: number): Reference | undefined {
  const head = matchAt(headPattern, text, start + 1)?.[0];
  if (head === undefined) return undefined;
  const end = start + 1 + head.length;
  return { start, end, head, path: [], isBraced: false, partRanges: [[start + 1, end]] };
}

function readBraced(text: string, start: number, close: number | undefined): Reference | undefined {
  if (text.charAt(start + 2) === '#') return readLength(text, start, close);
  const head = matchAt(headPattern, text, start + 2)?.[0];
  if (head === undefined || close === undefined) return undefined;
  let at = start + 2 + head.length;
  const path: string[] = [];
  const partRanges: (readonly [number, number])[] = [[start + 2, at]];
  for (let part = matchAt(partPattern, text, at); part; part = matchAt(partPattern, text, at)) {
    const name = part[1] ?? part[2] ?? '';
    path.push(name);
    partRanges.push([at + 1, at + 1 + name.length]);
    at += part[0].length;
  }
  const named = { start, end: close + 1, head, path, isBraced: true, partRanges } as const;
  const whole = head === 'raw' ? withoutRaw(named) : named;
  if (at === close) return whole;
  const sign = matchAt(operatorPattern, text, at)?.[0];
  // The pattern matches nothing else.
  return sign === undefined
    ? undefined
    : { ...whole, operator: { sign: sign as Operator, start: at + sign.length, end: close } };
}

/** Reads `${#NAME}`. */
function readLength(text: string, start: number, close: number | undefined): Reference | undefined {
  const head = matchAt(headPattern, text, start + 3)?.[0];
  if (head === undefined || start + 3 + head.length !== close) return undefined;
  const operator = { sign: 'length', start: close, end: close } as const;
  return { start, end: close + 1, head, path: [], isBraced: true, partRanges: [[start + 3, close]], operator };
}

/** `raw` is a prefix only before a namespace; elsewhere it is the name of a variable. */
function withoutRaw(reference: Reference): Reference {
  const [head = '', ...path] = reference.path;
  if (!isNamespace(head)) return reference;
  return { ...reference, head, path, partRanges: reference.partRanges.slice(1), isRaw: true };
}

/** Maps each `${` to its closing `}` in one pass, at any depth of nesting. */
function matchBraces(text: string): ReadonlyMap<number, number> {
  const matched = new Map<number, number>();
  const open: number[] = [];
  for (const { index, 0: mark } of text.matchAll(/\$\{|\}/g)) {
    if (mark === '}') {
      const start = open.pop();
      if (start !== undefined) matched.set(start, index);
    } else if (!isEscaped(text, index)) open.push(index);
  }
  return matched;
}

/** An even number of backslashes escapes only themselves. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - 1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

const namespacedPattern = new RegExp(
  String.raw`\$\{(?:raw\.)?(?:${namespaces.join('|')})(?:\.[A-Za-z0-9_-]+|\[\d+\])+\}`,
  'g',
);

/** Returns the offsets of the backslashes that keep a reference with a namespace, such as `${params.NAME}`, literal. */
export function findReferenceEscapes(text: string): readonly number[] {
  if (!text.includes('\\${')) return [];
  return [...text.matchAll(namespacedPattern)].flatMap(({ index }) => (isEscaped(text, index) ? [index - 1] : []));
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
