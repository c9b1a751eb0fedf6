import type { JsonSchema, SchemaBook, SchemaSource } from '../json-schema/json-schema';
import { buildSchema } from '../json-schema/json-schema';
import type { Reader } from './readers';

/** What may stand at a place: how it is read, and the same as a JSON Schema for editors. */
export interface Shape<T> {
  readonly read: Reader<T>;
  readonly schema: (book: SchemaBook) => JsonSchema;
}

export function shape<T>(read: Reader<T>, schema: SchemaSource): Shape<T> {
  return { read, schema: (book) => buildSchema(schema, book) };
}

/** The shape written once in the schema, under this name. */
export function namedShape<T>(name: string, inner: Shape<T>): Shape<T> {
  return { read: inner.read, schema: (book) => book.refer(name, () => inner.schema(book)) };
}

/** The same text with another meaning: `turn` gives nothing after it has reported. */
export function transformShape<A, B>(inner: Shape<A>, transform: (value: A) => B | undefined): Shape<B> {
  return {
    read: (value) => {
      const found = inner.read(value);
      return found === undefined ? undefined : transform(found);
    },
    schema: inner.schema,
  };
}
