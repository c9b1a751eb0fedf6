/** A placeholder: `{{ .input.name }}` or `{{ json .input.name }}`. */
export interface TextGap {
  readonly kind: 'gap';
  readonly path: readonly string[];
  readonly isJson: boolean;
}

export type TextPart =
  | TextGap
  | { readonly kind: 'text'; readonly text: string }
  /** Any other text in double braces. */
  | { readonly kind: 'unknown'; readonly text: string };

const braces = /\{\{(.*?)\}\}/gs;
const inputPath = /^(json\s+)?\.input((?:\.[A-Za-z_][A-Za-z0-9_-]*)+)$/;

export function templateParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const match of text.matchAll(braces)) {
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) });
    parts.push(toPart(match[0], match[1] ?? ''));
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

export function splitPath(path: string): readonly string[] {
  return path.split('.');
}

function toPart(whole: string, inner: string): TextPart {
  const [, json, path] = inputPath.exec(inner.trim()) ?? [];
  if (path === undefined) return { kind: 'unknown', text: whole };
  return { kind: 'gap', path: splitPath(path.slice(1)), isJson: json !== undefined };
}
