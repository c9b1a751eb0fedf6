import type { Const } from '../environment/consts';
import type { EnvEntry } from '../../model/step';
import { createReferenceResolver } from './resolve-reference';
import { findReferenceEscapes } from './reference';
import { replaceReferences, splitAtReferences, type ResolvedPart } from './replace-references';
import type { Scope } from './scope';

/**
 * Replaces the references in a program that is not shell code, such as a filter or a template: `${params.NAME}`, `${params}` (all as JSON, when there are any), `${consts.NAME}`,
 * `${env.NAME}`, `${steps.ID.outputs.NAME}`, `${foreach.NAME}`, `${context.…}`, and the older `${NAME.path}`,
 * `${ID.stdout}` and `${ITEM}`. Everything else stays: `$NAME`, `${NAME}`, `${NAME:-word}`, `$(…)`,
 * and a reference that has no value or an odd number of backslashes before it; of a reference with a namespace, the
 * last of these is removed. Throws `invalid_request` with reason `resolved_text_too_long` when the result is longer than 1 MiB.
 */
export function resolveText(text: string, scope: Scope): string {
  const parts = splitResolved(text, scope);
  return parts.map((part) => (part.kind === 'literal' ? unescapeReferences(part.text) : part.text)).join('');
}

/**
 * Splits a command or script at the references that {@link resolveText} replaces, for a caller that has to quote. All
 * backslashes stay.
 */
export function splitResolved(text: string, scope: Scope): readonly ResolvedPart[] {
  return splitAtReferences(text, replaceOptions(scope, false));
}

/**
 * Replaces the references in a string that no shell sees, such as a path or a setting: those of {@link resolveText},
 * and also `$NAME`, `${NAME}`, `${1}` and the shell's `${NAME:-word}`, `${NAME-word}`, `${NAME:+word}`,
 * `${NAME+word}` (`=` is the same as `-`), `${#NAME}`, `${NAME#pattern}`, `${NAME%pattern}` and `${NAME:1:2}`. A
 * variable in single quotes stays, and so does an escaped reference, without its backslash.
 */
export function resolveField(text: string, scope: Scope): string {
  return replaceReferences(text, replaceOptions(scope, true));
}

/**
 * Resolves the entries in order with {@link resolveField}, each with the earlier ones in its environment. The result
 * holds only the entries.
 */
export function resolveEnv(entries: readonly EnvEntry[], scope: Scope): ReadonlyMap<string, string> {
  const resolved = new Map<string, string>();
  const env = new Map(scope.env);
  const resolve = createReferenceResolver({ ...scope, env }, { variables: true });
  for (const { name, value } of entries) {
    const text = replaceReferences(value, { ...scope, resolve, variables: true });
    resolved.set(name, text);
    env.set(name, text);
  }
  return resolved;
}

/** Resolves the constants in order, each with the earlier ones: `${consts.NAME}`. */
export function resolveConsts(consts: readonly Const[]): ReadonlyMap<string, string> {
  const resolved = new Map<string, string>();
  const scope: Scope = { params: new Map(), env: new Map(), consts: resolved };
  for (const { name, value } of consts) resolved.set(name, resolveText(String(value), scope));
  return resolved;
}

/** Splits such a string at the references that {@link resolveField} replaces. */
export function splitField(text: string, scope: Scope): readonly ResolvedPart[] {
  return splitAtReferences(text, replaceOptions(scope, true));
}

function unescapeReferences(text: string): string {
  let kept = '';
  let from = 0;
  for (const at of findReferenceEscapes(text)) {
    kept += text.slice(from, at);
    from = at + 1;
  }
  return kept + text.slice(from);
}

function replaceOptions(scope: Scope, variables: boolean) {
  return { ...scope, resolve: createReferenceResolver(scope, { variables }), variables };
}
