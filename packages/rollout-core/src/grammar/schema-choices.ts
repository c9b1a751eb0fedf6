import { findDefinition, isSchema, type Schema } from './schema';

const maxDepth = 32;

/** One of the schemas that a value may have, without references and unions. */
export type SchemaChoice = Schema & {
  /** `undefined` where the schema does not tell. */
  readonly type: string | undefined;
};

/**
 * The schemas of which a value must have one, or all of them for `allOf`. A schema without a type has that of its values
 * (`enum`, `const`) or of its keywords. Nothing for a schema that is none or refers to none.
 * @param root The schema that `$ref` refers to.
 */
export function schemaChoices(schema: unknown, root: unknown): readonly SchemaChoice[] {
  const seen = new Set<unknown>();
  const collect = (part: unknown, depth: number): readonly SchemaChoice[] => {
    if (!isSchema(part) || seen.has(part) || depth > maxDepth) return [];
    seen.add(part);
    if (typeof part.$ref === 'string') return collect(findDefinition(root, part.$ref), depth + 1);
    const lists = [part.anyOf, part.oneOf, part.allOf].filter((list) => Array.isArray(list));
    const parts = lists.flat().flatMap((choice) => collect(choice, depth + 1));
    const types = typesOf(part);
    if (types.length === 0) return lists.length === 0 ? [{ ...part, type: undefined }] : parts;
    return [...types.map((type) => ({ ...part, type })), ...parts];
  };
  return collect(schema, 0);
}

function typesOf(schema: Schema): readonly string[] {
  const { type } = schema;
  if (type !== undefined) return [type].flat().filter((name): name is string => typeof name === 'string');
  const values: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
  const known = 'const' in schema ? [schema.const] : values;
  if (known.length > 0) return [...new Set(known.map(typeOf))];
  if ('properties' in schema || isSchema(schema.additionalProperties)) return ['object'];
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : [];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
