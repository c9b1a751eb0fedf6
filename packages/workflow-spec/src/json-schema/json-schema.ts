/** A JSON Schema, draft 07: the one that editors of YAML know. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Gathers the named parts of a schema, so that what is used in many places is written once. */
export interface SchemaBook {
  /** A reference to the part, which is built when its name is met for the first time; it may refer to itself. */
  refer(name: string, build: () => JsonSchema): JsonSchema;
  /** A reference to a part that is registered elsewhere: for parts that contain each other. */
  forwardRef(name: string): JsonSchema;
}

export type SchemaSource = JsonSchema | ((book: SchemaBook) => JsonSchema);

export function buildSchema(source: SchemaSource, book: SchemaBook): JsonSchema {
  return typeof source === 'function' ? source(book) : source;
}

/** A key without a value counts as not given, so every key may also be empty. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  const keywords = Object.keys(schema).length;
  if (keywords === 0) return schema;
  if (Array.isArray(anyOf) && keywords === 1) return { anyOf: [...(anyOf as readonly JsonSchema[]), { type: 'null' }] };
  // Beside `enum` the type is not enough, and an object with keys is one part whether it may be empty or not.
  const isTypeEnough = type !== undefined && !('enum' in schema) && !('properties' in schema);
  if (!isTypeEnough) return { anyOf: [schema, { type: 'null' }] };
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return { ...schema, type: [...new Set([...types, 'null'])] };
}

/** For rules between keys: all of them stand there with a value. Keys that have another spelling need more. */
export function requireKeys(...keys: readonly string[]): JsonSchema {
  return { required: keys, properties: Object.fromEntries(keys.map((key) => [key, { not: { type: 'null' } }])) };
}
