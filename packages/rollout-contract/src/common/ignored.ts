import { z } from 'zod';

const maxNamed = 20;
const maxNameLength = 100;

/** In the answer of an operation that takes fields it does not know, as clients of other services send them. */
export const ignored = z
  .array(z.string())
  .optional()
  .describe(`Fields of the request that are not known here and changed nothing; the first ${maxNamed}.`);

/** The names of a body's fields that a schema does not have, for `ignored`; nothing where there are none. */
export function ignoredFields(
  schema: { readonly shape: Readonly<Record<string, unknown>> },
  body: object,
): { readonly ignored?: string[] } {
  const names = Object.keys(body).filter((name) => !Object.hasOwn(schema.shape, name));
  return names.length === 0 ? {} : { ignored: names.slice(0, maxNamed).map((name) => name.slice(0, maxNameLength)) };
}
