import type { JsonValue } from '../model/json';

/** Entries as a list of one-key maps, which keeps their order and a name that stands there twice. */
export function printEntries(entries: readonly { readonly name: string; readonly value: JsonValue }[] = []): unknown {
  return entries.length === 0 ? undefined : entries.map(({ name, value }) => ({ [name]: value }));
}
