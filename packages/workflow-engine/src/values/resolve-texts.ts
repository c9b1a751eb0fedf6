import { resolveField, type JsonValue, type Scope } from '@weir/workflow-spec';

/** Replaces the references in every text of a value; keys are not changed. Throws `resolved_text_too_long`. */
export function resolveTexts<Value extends JsonValue | undefined>(value: Value, scope: Scope): Value {
  // Each kind of value becomes one of the same kind, which the types cannot follow.
  return (value === undefined ? undefined : mapTexts(value, (text) => resolveField(text, scope))) as Value;
}

/** A value with every text of it replaced; keys are not changed. */
export function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => mapTexts(item, map));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
