import type { Prisma } from '@weir/workflow-db';
import type { JsonValue } from '@weir/workflow-spec';

/** In an object, because a JSON column cannot distinguish a JSON `null` from a missing value. */
export function memoToRow(value: JsonValue): Prisma.InputJsonObject {
  return { value };
}

export function memoFromRow(stored: unknown): JsonValue {
  // It was validated before it was stored, and may be megabytes.
  return (stored as { readonly value: JsonValue }).value;
}
