import type { JsonValue } from '../../model/json';

/** Prints a list of one-key maps, which preserves order and duplicate names. */
export function printEntries(entries: readonly { readonly name: string; readonly value: JsonValue }[] = []): unknown {
  return entries.length === 0 ? undefined : entries.map(({ name, value }) => ({ [name]: value }));
}
