import type { JsonSchema } from '../../shapes/json-schema/json-schema';
import { dagSchema } from './dag-schema';
import { referredName } from '../../shapes/json-schema/schema-book';
import { isSchema, mapSubSchemas, schemasIn } from '../../shapes/json-schema/sub-schemas';

/**
 * Returns the part of the DAG schema at a dotted path of keys, `steps.retry_policy`, as a schema with the definitions
 * it needs. The path skips lists and maps with free keys. Returns `undefined` when there is no such key.
 */
export function schemaAt(path: string): JsonSchema | undefined {
  const root = dagSchema();
  const keys = path.split('.').filter((key) => key !== '');
  let part: JsonSchema | undefined = root;
  for (const key of keys) part = part && findKey(part, key, root);
  if (part === undefined || part === root) return part;
  return standalone(part, root);
}

/** Finds the schema of a key: of the object itself, else of the items of a list, else of the values of a map. */
function findKey(
  schema: JsonSchema,
  key: string,
  root: JsonSchema,
  visited = new Set<JsonSchema>(),
): JsonSchema | undefined {
  const choices = alternatives(schema, root, visited);
  for (const choice of choices) {
    const { properties } = choice;
    if (!isSchema(properties) || !Object.hasOwn(properties, key)) continue;
    const found = properties[key];
    if (isSchema(found)) return found;
  }
  for (const keyword of ['items', 'additionalProperties'] as const) {
    for (const choice of choices) {
      const inner = choice[keyword];
      const found = isSchema(inner) ? findKey(inner, key, root, visited) : undefined;
      if (found) return found;
    }
  }
  return undefined;
}

/** Lists the schema and everything it is composed of. */
function alternatives(schema: JsonSchema, root: JsonSchema, visited: Set<JsonSchema>): readonly JsonSchema[] {
  if (visited.has(schema)) return [];
  visited.add(schema);
  const target = findDefinition(schema, root);
  const inner = [...schemasIn(schema, 'allOf'), ...schemasIn(schema, 'anyOf'), ...schemasIn(schema, 'oneOf')];
  return [schema, ...[...(target ? [target] : []), ...inner].flatMap((each) => alternatives(each, root, visited))];
}

function findDefinition(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const name = referredName(schema);
  const { definitions } = root;
  const found = name !== undefined && isSchema(definitions) ? definitions[name] : undefined;
  return isSchema(found) ? found : undefined;
}

function standalone(part: JsonSchema, root: JsonSchema): JsonSchema {
  const needed = new Map<string, JsonSchema>();
  const collect = (schema: JsonSchema): JsonSchema => {
    const name = referredName(schema);
    const target = findDefinition(schema, root);
    if (name !== undefined && target && !needed.has(name)) {
      needed.set(name, target);
      collect(target);
    }
    mapSubSchemas(schema, collect);
    return schema;
  };
  collect(part);
  const { $schema: draft } = root;
  return { $schema: draft, ...part, ...(needed.size === 0 ? {} : { definitions: Object.fromEntries(needed) }) };
}
