import type { JsonSchema, SchemaBook, SchemaSource } from './json-schema/json-schema';
import { buildSchema } from './json-schema/json-schema';
import type { Reader } from './readers';

declare const resolved: unique symbol;

/**
 * Defines a value: how it is read, and the equivalent JSON Schema for editors. `Resolved` is the type of the value
 * once its references are replaced; it exists for the compiler alone.
 */
export interface Shape<T, Resolved = T> {
  readonly read: Reader<T>;
  readonly schema: (book: SchemaBook) => JsonSchema;
  readonly [resolved]?: Resolved;
}

/** The type that a value of the shape has once its references are replaced. */
export type ResolvedType<S> = S extends { readonly [resolved]?: infer Resolved } ? Resolved : never;

export function shape<T, Resolved = T>(read: Reader<T>, schema: SchemaSource): Shape<T, Resolved> {
  return { read, schema: (book) => buildSchema(schema, book) };
}

/** Puts the schema into a definition of this name. */
export function namedShape<T, Resolved>(name: string, inner: Shape<T, Resolved>): Shape<T, Resolved> {
  return { read: inner.read, schema: (book) => book.refer(name, () => inner.schema(book)) };
}

/** Converts the result of the inner shape; `transform` reports a finding when it returns undefined. */
export function transformShape<A, B, Resolved = B>(
  inner: Shape<A, unknown>,
  transform: (value: A) => B | undefined,
): Shape<B, Resolved> {
  return {
    read: (value) => {
      const found = inner.read(value);
      return found === undefined ? undefined : transform(found);
    },
    schema: inner.schema,
  };
}
