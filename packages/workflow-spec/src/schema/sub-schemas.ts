import type { JsonSchema } from '../read/json-schema';

const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'] as const;
const lists = ['anyOf', 'allOf', 'oneOf'] as const;
const maps = ['properties', 'patternProperties', 'definitions'] as const;

/** Turns the schemas directly inside a schema; `key` is the property they describe, where there is one. */
export function mapSubSchemas(
  schema: JsonSchema,
  turn: (inner: JsonSchema, key: string | undefined) => JsonSchema,
): JsonSchema {
  const turned: Record<string, unknown> = { ...schema };
  for (const keyword of single) {
    const inner = schema[keyword];
    if (isSchema(inner)) turned[keyword] = turn(inner, undefined);
  }
  for (const keyword of lists) {
    const inner = schema[keyword];
    if (Array.isArray(inner)) turned[keyword] = inner.filter(isSchema).map((each) => turn(each, undefined));
  }
  for (const keyword of maps) {
    const inner = schema[keyword];
    if (isSchema(inner)) turned[keyword] = mapValues(inner, turn);
  }
  return turned;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schemas in a list keyword, such as `anyOf`. */
export function schemasIn(schema: JsonSchema, keyword: (typeof lists)[number]): readonly JsonSchema[] {
  const inner = schema[keyword];
  return Array.isArray(inner) ? inner.filter(isSchema) : [];
}

function mapValues(map: JsonSchema, turn: (inner: JsonSchema, key: string) => JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(map).map(([key, inner]) => [key, isSchema(inner) ? turn(inner, key) : inner]),
  );
}
