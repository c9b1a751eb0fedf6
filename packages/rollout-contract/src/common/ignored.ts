import { z } from 'zod';

const maxNamed = 20;
const maxNameLength = 100;

/** Part of the answers of operations that accept unknown fields, which clients of other services send. */
export const ignored = z
  .array(z.string())
  .optional()
  .describe(`Unknown fields of the request, which had no effect; the first ${maxNamed}.`);

/** The names of a body's fields that a schema does not have, for `ignored`. */
export function ignoredFields(
  schema: { readonly shape: Readonly<Record<string, unknown>> },
  body: object,
): { readonly ignored?: string[] } {
  const names = Object.keys(body).filter((name) => !Object.hasOwn(schema.shape, name));
  return names.length === 0 ? {} : { ignored: names.slice(0, maxNamed).map((name) => name.slice(0, maxNameLength)) };
}
