import type { JsonValue } from '@weir/workflow-spec';

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
