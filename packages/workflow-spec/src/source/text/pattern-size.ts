type Token =
  | { readonly kind: 'open' | 'close' | 'nothing' }
  | { readonly kind: 'repeat'; readonly count: number }
  /** A repetition applies to the last of several parts. */
  | { readonly kind: 'parts'; readonly sizes: readonly number[] };

/** A Unicode class expands to hundreds of ranges. */
const unicodeClassSize = 50;

/** The tokens are tried in order; the last one always matches. */
const tokens: readonly (readonly [pattern: RegExp, make: (match: RegExpExecArray) => Token])[] = [
  [/\(\?[A-Za-z-]*\)/y, () => ({ kind: 'nothing' })],
  [/\((?:\?(?:P?<[^>]*>|[A-Za-z-]*:))?/y, () => ({ kind: 'open' })],
  [/\)/y, () => ({ kind: 'close' })],
  [
    /\{(\d+)(?:,(\d*))?\}/y,
    ([, least, most]) => ({ kind: 'repeat', count: Math.max(Number(least), Number(most)) || Number(least) }),
  ],
  [/[*+?]/y, () => ({ kind: 'repeat', count: 1 })],
  [/\\Q(.*?)(?:\\E|$)/sy, ([, text = '']) => ({ kind: 'parts', sizes: [text.length, 1] })],
  [/\\[pP](?:\{[^}]*\}|[^{])?/y, () => ({ kind: 'parts', sizes: [unicodeClassSize] })],
  [/\\./sy, () => ({ kind: 'parts', sizes: [1] })],
  [/\[\^?\]?(?:\\.|\[:\^?[a-z]*:\]|[^\]\\])*\]?/sy, ([text]) => ({ kind: 'parts', sizes: [classSize(text)] })],
  [/[^]/y, () => ({ kind: 'parts', sizes: [1] })],
];

/** The size before the last part, and the size of the last part, to which a repetition applies. */
interface Group {
  before: number;
  last: number;
}

/**
 * Estimates the number of parts of a regular expression with counted repetitions expanded, which determines the cost
 * of compiling it. Overestimates rather than underestimates; invalid patterns have a size as well.
 */
export function patternSize(pattern: string): number {
  const open: Group[] = [];
  let group: Group = { before: 0, last: 0 };
  const push = (size: number) => {
    group = { before: group.before + group.last, last: size };
  };
  for (let at = 0; at < pattern.length;) {
    const [token, length] = readToken(pattern, at);
    at += length;
    if (token.kind === 'open') {
      open.push(group);
      group = { before: 0, last: 0 };
    } else if (token.kind === 'close') {
      const size = group.before + group.last + 2;
      group = open.pop() ?? { before: 0, last: 0 };
      push(size);
    } else if (token.kind === 'repeat') {
      group = { before: group.before, last: (group.last + 1) * Math.max(token.count, 1) };
    } else if (token.kind === 'parts') token.sizes.forEach(push);
  }
  return [...open, group].reduce((sum, { before, last }) => sum + before + last, 0);
}

function readToken(pattern: string, at: number): readonly [Token, length: number] {
  for (const [form, make] of tokens) {
    form.lastIndex = at;
    const match = form.exec(pattern);
    if (match) return [make(match), match[0].length];
  }
  return [{ kind: 'nothing' }, 1];
}

function classSize(text: string): number {
  return 1 + (text.match(/\\[pP]/g)?.length ?? 0) * unicodeClassSize;
}
