import type { RE2JS } from 're2js';
import { compilePattern, literalPattern } from './compile-pattern';

/** The objects of a store that a text such as `s3://bucket/in/*.csv` names. */
export interface ObjectGlob {
  readonly bucket: string;
  /** What the keys of all of them begin with. */
  readonly prefix: string;
  /** Whether no folder below the prefix has any of them. */
  readonly isFlat: boolean;
  /** Takes time linear in the key, so that no key can hang the server. */
  matches(key: string): boolean;
}

const scheme = 's3://';
const address = /^s3:\/\/([A-Za-z0-9][\w.-]{1,254})\/(.+)$/s;
const globCharacter = /[*?[{]/;
/** What globs of files have besides, and ranges in braces. */
const unsupported = /[?*+@!]\(|\{[^{},]*\.\.[^{},]*\}/;
const maxAlternatives = 100;

export function isObjectGlob(text: string): boolean {
  return text.startsWith(scheme);
}

/**
 * Compiles the address of a bucket with a glob of keys, whose `*`, `**`, `?`, `[…]` and `{…}` mean what they mean for
 * paths of files. Returns `undefined` for anything else.
 */
export function compileObjectGlob(text: string): ObjectGlob | undefined {
  const [, bucket, glob] = address.exec(text) ?? [];
  if (bucket === undefined || glob === undefined || unsupported.test(glob)) return undefined;
  const alternatives = expandBraces(glob);
  const pattern = alternatives && compilePattern(alternatives.map((each) => `^(?:${toPattern(each)})$`).join('|'));
  if (pattern === undefined) return undefined;
  const first = glob.search(globCharacter);
  const prefix = first === -1 ? glob : glob.slice(0, first);
  const rest = glob.slice(prefix.length);
  return {
    bucket,
    prefix,
    isFlat: !rest.includes('/') && !rest.includes('**'),
    matches: (key) => isMatch(pattern, key),
  };
}

function isMatch(pattern: RE2JS, key: string): boolean {
  return pattern.matcher(key).find();
}

/** Returns `undefined` for more alternatives than a glob may have. */
function expandBraces(glob: string): readonly string[] | undefined {
  let open = [glob];
  const expanded: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = findBraces(next);
    if (braces === undefined) expanded.push(next);
    else {
      const { start, end, parts } = braces;
      const [before, after] = [next.slice(0, start), next.slice(end)];
      open = [...open, ...parts.map((part) => `${before}${part}${after}`)];
    }
    if (open.length + expanded.length > maxAlternatives) return undefined;
  }
  return expanded;
}

/** Finds the first braces with a comma; others are ordinary characters. */
function findBraces(glob: string) {
  for (let start = glob.indexOf('{'); start !== -1; start = glob.indexOf('{', start + 1)) {
    const parts: string[] = [];
    let from = start + 1;
    let depth = 0;
    for (let at = from; at < glob.length; at += 1) {
      const character = glob[at];
      if (character === '{') depth += 1;
      else if (character === '}' && depth > 0) depth -= 1;
      else if (depth === 0 && (character === ',' || character === '}')) {
        parts.push(glob.slice(from, at));
        from = at + 1;
        if (character === '}' && parts.length > 1) return { start, end: at + 1, parts };
        if (character === '}') break;
      }
    }
  }
  return undefined;
}

/** As in paths, what is no literal dot stands for no dot at the start of a segment. */
const anySegment = String.raw`[^./][^/]*`;

function toPattern(glob: string): string {
  const segments = glob.split('/');
  return segments
    .map((segment, index) => {
      const isLast = index === segments.length - 1;
      if (segment === '**') return isLast ? `(?:${anySegment}/)*${anySegment}` : `(?:${anySegment}/)*`;
      return `${segmentPattern(segment)}${isLast ? '' : '/'}`;
    })
    .join('');
}

const token = /\*+|\?|\[([!^]?)(\]?[^\]]*)\]|./gsu;

function segmentPattern(segment: string, isStart = true): string {
  const stars = /^\*+/.exec(segment)?.[0].length ?? 0;
  if (isStart && stars > 0) {
    const rest = segment.slice(stars);
    if (rest === '') return anySegment;
    const some = `${anySegment}${segmentPattern(rest, false)}`;
    return rest.startsWith('.') ? some : `(?:${some}|${segmentPattern(rest)})`;
  }
  return Array.from(segment.matchAll(token), ([text, negation, members], index) => {
    const excluded = isStart && index === 0 ? './' : '/';
    if (text.startsWith('*')) return '[^/]*';
    if (text === '?') return `[^${excluded}]`;
    if (members === undefined) return literalPattern(text);
    return `[${negation === '' ? '' : `^${excluded}`}${members.replaceAll(/[\\[\]^]/g, String.raw`\$&`)}]`;
  }).join('');
}
