import {
  readItems,
  resolveField,
  type Items,
  type ItemsProblem,
  type JsonValue,
  type Scope,
} from '@weir/workflow-spec';

/** The items of a loop, with what they refer to put in. Of `words`, a text that is no JSON array is split at blanks. */
export function resolveItems(
  items: Items,
  scope: Scope,
  options: { readonly words: boolean },
): readonly JsonValue[] | ItemsProblem {
  if (typeof items === 'string') return readItems(resolveField(items, scope), options);
  return items.map((item) => resolveJson(item, scope));
}

/** The same value, with the references in its texts replaced. */
export function resolveJson(value: JsonValue, scope: Scope): JsonValue {
  if (typeof value === 'string') return resolveField(value, scope);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => resolveJson(item, scope));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveJson(item, scope)]));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
