import type { JsonValue } from '@weir/workflow-spec';
import { mapTexts, resolveField, type Scope } from '@weir/workflow-spec/values';

/** Replaces the references in every text of a value; keys are not changed. Throws `resolved_text_too_long`. */
export function resolveTexts<Value extends JsonValue | undefined>(value: Value, scope: Scope): Value {
  // Each kind of value becomes one of the same kind, which the types cannot follow.
  return (value === undefined ? undefined : mapTexts(value, (text) => resolveField(text, scope))) as Value;
}
