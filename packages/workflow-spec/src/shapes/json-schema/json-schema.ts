/** A JSON Schema of draft 07, the version that YAML editors support. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Collects the named parts of a schema, so that shared parts are written once. */
export interface SchemaBook {
  /** A reference to the part, which is built on first use; it may refer to itself. */
  refer(name: string, build: () => JsonSchema): JsonSchema;
  /** A reference to a part that is registered elsewhere, for parts that contain each other. */
  forwardRef(name: string): JsonSchema;
}

export type SchemaSource = JsonSchema | ((book: SchemaBook) => JsonSchema);

export function buildSchema(source: SchemaSource, book: SchemaBook): JsonSchema {
  return typeof source === 'function' ? source(book) : source;
}

/** A key without a value counts as missing, so every key accepts null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  const keywords = Object.keys(schema).length;
  if (keywords === 0) return schema;
  if (Array.isArray(anyOf) && keywords === 1) return { anyOf: [...(anyOf as readonly JsonSchema[]), { type: 'null' }] };
  // With `enum`, adding a type is not enough; an object with keys stays one shared definition.
  const isTypeEnough = type !== undefined && !('enum' in schema) && !('properties' in schema);
  if (!isTypeEnough) return { anyOf: [schema, { type: 'null' }] };
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return { ...schema, type: [...new Set([...types, 'null'])] };
}

/** Requires the keys with a value. Does not cover other spellings of the keys. */
export function requireKeys(...keys: readonly string[]): JsonSchema {
  return { required: keys, properties: Object.fromEntries(keys.map((key) => [key, { not: { type: 'null' } }])) };
}
