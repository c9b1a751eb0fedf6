import { AppError } from '@weir/errors';
import { limits } from '../limits';

/** Where references find their values. */
export interface Scope {
  readonly params: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string>;
  /** Told each reference that has no value, as it is written. */
  readonly unresolved?: (reference: string) => void;
}

/** The value of one reference: `name` is what stands between the braces. */
export type Lookup = (name: string) => string | undefined;

const braced = /\$\{([A-Za-z_][A-Za-z0-9_.]*|\d+)\}/y;
const bare = /\$([A-Za-z_][A-Za-z0-9_]*|\d+)/y;

/**
 * Replaces references in one pass: a value that looks like a reference is not looked at again. Throws
 * `invalid_request` with reason `resolved_text_too_long` when the result passes 1 MiB.
 */
export function replaceReferences(
  text: string,
  lookup: Lookup,
  options: { readonly bare: boolean } & Pick<Scope, 'unresolved'>,
): string {
  const parts: string[] = [];
  let length = 0;
  const push = (part: string) => {
    length += part.length;
    if (length > limits.resolvedLength) throw resolvedTextTooLong();
    parts.push(part);
  };
  let written = 0;
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', at + 1)) {
    const match = matchAt(braced, text, at) ?? (options.bare ? matchAt(bare, text, at) : undefined);
    const name = match?.[1];
    if (!match || name === undefined || at < written || isEscaped(text, at)) continue;
    const value = lookup(name);
    if (value === undefined) {
      options.unresolved?.(match[0]);
      continue;
    }
    push(text.slice(written, at));
    push(value);
    written = at + match[0].length;
  }
  push(text.slice(written));
  return parts.join('');
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

// An even number of backslashes escapes only themselves.
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - 1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function resolvedTextTooLong(): AppError {
  const message = `A text is longer than ${limits.resolvedLength} characters after its references are replaced.`;
  return new AppError('invalid_request', message, { reason: 'resolved_text_too_long' });
}
