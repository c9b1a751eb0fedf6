type Token =
  | { readonly kind: 'open' | 'close' | 'nothing' }
  | { readonly kind: 'repeat'; readonly count: number }
  /** Of several parts a repetition is about the last one. */
  | { readonly kind: 'parts'; readonly sizes: readonly number[] };

/** Stands for hundreds of ranges. */
const unicodeClassSize = 50;

/** The first that matches is the token; the last one always does. */
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

/** What stands before the part that was read last, and that part, which a repetition is about. */
interface Group {
  before: number;
  last: number;
}

/**
 * About how many parts a regular expression has once its counted repetitions are written out, which is what compiling
 * it costs. Rather too many than too few; what is no regular expression has a size as well.
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
