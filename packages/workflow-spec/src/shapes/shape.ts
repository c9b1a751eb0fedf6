import type { JsonSchema, SchemaBook, SchemaSource } from '../json-schema/json-schema';
import { buildSchema } from '../json-schema/json-schema';
import type { Reader } from './readers';

/** What a value may be: how it is read, and the equivalent JSON Schema for editors. */
export interface Shape<T> {
  readonly read: Reader<T>;
  readonly schema: (book: SchemaBook) => JsonSchema;
}

export function shape<T>(read: Reader<T>, schema: SchemaSource): Shape<T> {
  return { read, schema: (book) => buildSchema(schema, book) };
}

/** Puts the schema into a definition of this name. */
export function namedShape<T>(name: string, inner: Shape<T>): Shape<T> {
  return { read: inner.read, schema: (book) => book.refer(name, () => inner.schema(book)) };
}

/** Converts what the inner shape read; `transform` reports a finding when it returns undefined. */
export function transformShape<A, B>(inner: Shape<A>, transform: (value: A) => B | undefined): Shape<B> {
  return {
    read: (value) => {
      const found = inner.read(value);
      return found === undefined ? undefined : transform(found);
    },
    schema: inner.schema,
  };
}
