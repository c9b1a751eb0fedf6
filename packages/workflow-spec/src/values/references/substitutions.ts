/** A literal piece of a string, or a command whose output replaces it. */
export interface TextPart {
  readonly kind: 'text' | 'command';
  readonly text: string;
}

/**
 * Splits a string at its command substitutions, `$(command)` and `` `command` ``. Nested ones belong to the outer
 * command; one with an odd number of backslashes before it is literal. Returns `undefined` when one is not closed.
 */
export function splitSubstitutions(text: string): readonly TextPart[] | undefined {
  const parts: TextPart[] = [];
  let written = 0;
  let at = 0;
  while (at < text.length) {
    if (text.charAt(at) === '\\') {
      at += 2;
      continue;
    }
    const found = text.startsWith('$(', at) ? readParenthesized(text, at) : readBackquoted(text, at);
    if (found === 'open') return undefined;
    if (found === undefined) {
      at += 1;
      continue;
    }
    if (at > written) parts.push({ kind: 'text', text: text.slice(written, at) });
    parts.push({ kind: 'command', text: found.command });
    written = at = found.end;
  }
  if (written < text.length) parts.push({ kind: 'text', text: text.slice(written) });
  return parts;
}

interface Substitution {
  readonly command: string;
  readonly end: number;
}

function readParenthesized(text: string, start: number): Substitution | 'open' {
  let depth = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (character === "'" || character === '"') {
      const close = findClosingQuote(text, at);
      if (close === -1) return 'open';
      at = close;
    } else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return { command: text.slice(start + 2, at), end: at + 1 };
  }
  return 'open';
}

function readBackquoted(text: string, start: number): Substitution | 'open' | undefined {
  if (text.charAt(start) !== '`') return undefined;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    // As in a shell, a backslash protects only these characters.
    else if (text.charAt(at) === '`') {
      return { command: text.slice(start + 1, at).replaceAll(/\\([\\$`])/g, '$1'), end: at + 1 };
    }
  }
  return 'open';
}

function findClosingQuote(text: string, open: number): number {
  const quote = text.charAt(open);
  for (let at = open + 1; at < text.length; at += 1) {
    if (quote === '"' && text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return -1;
}
