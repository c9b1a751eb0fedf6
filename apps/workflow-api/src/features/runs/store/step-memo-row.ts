import type { Prisma } from '@weir/workflow-db';
import type { JsonValue } from '@weir/workflow-spec';

/** Wraps the value in an object, because a JSON column cannot distinguish a JSON `null` from a missing value. */
export function memoToRow(value: JsonValue): Prisma.InputJsonObject {
  return { value };
}

export function memoFromRow(stored: unknown): JsonValue {
  // The value was validated before it was stored, and may take megabytes.
  return (stored as { readonly value: JsonValue }).value;
}
