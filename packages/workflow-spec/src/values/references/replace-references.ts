import { AppError } from '@weir/foundation';
import { limits } from '../../model/limits';
import type { ResolveReference } from './resolve-reference';
import { cutValue, isCut } from './cut-value';
import { createReferenceReader, type Reference, type ReferenceReader } from './reference';
import { isNamespace, type Scope } from './scope';

interface ReplaceOptions extends Pick<Scope, 'unresolved'> {
  readonly resolve: ResolveReference;
  /** Whether `$NAME`, `${NAME}` and `${NAME:-word}` are replaced; otherwise the shell handles them. */
  readonly variables: boolean;
}

/** Fallback words may be nested this deeply; deeper ones stay unchanged. */
const wordDepth = 8;

/**
 * Replaces references in one pass: a value that looks like a reference is not expanded again. Throws
 * `invalid_request` with reason `resolved_text_too_long` when the result exceeds 1 MiB.
 */
export function replaceReferences(text: string, options: ReplaceOptions): string {
  return join(splitAtReferences(text, options));
}

/** A literal piece of a string, or the value of a reference in it. */
export interface ResolvedPart {
  readonly kind: 'literal' | 'value';
  readonly text: string;
  /** The author requested that the value become a part of the code: `${raw.params.NAME}`. */
  readonly isRaw?: true;
}

/** Returns the pieces of which {@link replaceReferences} makes its result; throws the same error. */
export function splitAtReferences(text: string, options: ReplaceOptions): readonly ResolvedPart[] {
  return splitRange({ ...options, text, reader: createReferenceReader(text) }, [0, text.length], 0);
}

interface Replacement extends ReplaceOptions {
  readonly text: string;
  readonly reader: ReferenceReader;
}

function splitRange(
  replacement: Replacement,
  [start, end]: readonly [number, number],
  depth: number,
): readonly ResolvedPart[] {
  const { text, reader } = replacement;
  const parts: ResolvedPart[] = [];
  let length = 0;
  const push = (part: ResolvedPart) => {
    length += part.text.length;
    if (length > limits.resolvedLength) throw resolvedTextTooLong();
    parts.push(part);
  };
  let written = start;
  for (let at = text.indexOf('$', start); at !== -1 && at < end; at = text.indexOf('$', at + 1)) {
    if (at < written) continue;
    if (replacement.variables && reader.isEscaped(at)) {
      push({ kind: 'literal', text: text.slice(written, at - 1) });
      written = at;
      continue;
    }
    const reference = reader.at(at);
    const value = reference && resolveValue(replacement, reference, depth);
    if (!reference || value === undefined) continue;
    push({ kind: 'literal', text: text.slice(written, at) });
    push({ kind: 'value', text: value, ...(reference.isRaw && { isRaw: true }) });
    written = reference.end;
  }
  push({ kind: 'literal', text: text.slice(written, end) });
  return parts;
}

function join(parts: readonly ResolvedPart[]): string {
  return parts.map((part) => part.text).join('');
}

function resolveValue(replacement: Replacement, reference: Reference, depth: number): string | undefined {
  const { variables, resolve, unresolved, text } = replacement;
  if (!variables && (!reference.isBraced || reference.operator)) return undefined;
  if (variables && isInSingleQuotes(text, reference)) return undefined;
  const value = resolve(reference);
  if (reference.operator)
    return depth < wordDepth ? applyOperator(replacement, reference.operator, value, depth) : undefined;
  // An unknown plain name may be known to the shell.
  const isOurs = variables || reference.path.length > 0 || isNamespace(reference.head);
  if (value === undefined && isOurs) unresolved?.(text.slice(reference.start, reference.end));
  return value;
}

/** As in a shell, `'$NAME'` and `'${NAME}'` are no references; `'${params.NAME}'` is one. */
function isInSingleQuotes(text: string, { start, end, path, head }: Reference): boolean {
  return path.length === 0 && head !== 'params' && text.charAt(start - 1) === "'" && text.charAt(end) === "'";
}

function applyOperator(
  replacement: Replacement,
  { sign, start, end }: NonNullable<Reference['operator']>,
  value: string | undefined,
  depth: number,
): string | undefined {
  const isGiven = value !== undefined && (value !== '' || !sign.startsWith(':'));
  const word = () => join(splitRange(replacement, [start, end], depth + 1));
  if (isCut(sign)) return value === undefined ? undefined : cutValue(value, sign, word());
  if (sign.endsWith('+')) return isGiven ? word() : '';
  return isGiven ? value : word();
}

function resolvedTextTooLong(): AppError {
  const message = `A string is longer than ${limits.resolvedLength} characters after its references are replaced.`;
  return new AppError('invalid_request', message, { reason: 'resolved_text_too_long' });
}
