import type { JsonSchema } from './json-schema';

const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'] as const;
const lists = ['anyOf', 'allOf', 'oneOf'] as const;
const maps = ['properties', 'patternProperties', 'definitions'] as const;

/** Transforms the direct sub-schemas; `key` is the property a sub-schema describes, if any. */
export function mapSubSchemas(
  schema: JsonSchema,
  transform: (inner: JsonSchema, key: string | undefined) => JsonSchema,
): JsonSchema {
  const transformed: Record<string, unknown> = { ...schema };
  for (const keyword of single) {
    const inner = schema[keyword];
    if (isSchema(inner)) transformed[keyword] = transform(inner, undefined);
  }
  for (const keyword of lists) {
    const inner = schema[keyword];
    if (Array.isArray(inner)) transformed[keyword] = inner.filter(isSchema).map((each) => transform(each, undefined));
  }
  for (const keyword of maps) {
    const inner = schema[keyword];
    if (isSchema(inner)) transformed[keyword] = mapValues(inner, transform);
  }
  return transformed;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function schemasIn(schema: JsonSchema, keyword: (typeof lists)[number]): readonly JsonSchema[] {
  const inner = schema[keyword];
  return Array.isArray(inner) ? inner.filter(isSchema) : [];
}

function mapValues(map: JsonSchema, transform: (inner: JsonSchema, key: string) => JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(map).map(([key, inner]) => [key, isSchema(inner) ? transform(inner, key) : inner]),
  );
}
