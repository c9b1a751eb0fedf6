import { mapTexts, resolveField, type JsonValue, type Scope } from '@weir/workflow-spec';

/** Replaces the references in every text of a value; keys are not changed. Throws `resolved_text_too_long`. */
export function resolveTexts<Value extends JsonValue | undefined>(value: Value, scope: Scope): Value {
  // Each kind of value becomes one of the same kind, which the types cannot follow.
  return (value === undefined ? undefined : mapTexts(value, (text) => resolveField(text, scope))) as Value;
}
