import type { JsonSchema } from '../../shapes/json-schema/json-schema';
import { referredName } from '../../shapes/json-schema/schema-book';
import { isSchema, schemasIn } from '../../shapes/json-schema/sub-schemas';
import { markdownTable } from './markdown-table';
import { describeSchema } from './describe-schema';

export interface KeyRow {
  readonly key: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The list omits the camelCase spelling, which every key has. */
  readonly deprecatedSpellings: readonly string[];
}

/**
 * Returns the keys of all objects that the schema allows, in order, with their deprecated spellings. When one of the
 * objects has all the `wanted` keys, only its keys are returned.
 */
export function keyRows(schema: JsonSchema, root: JsonSchema, wanted: readonly string[] = []): readonly KeyRow[] {
  const all = objectsIn(schema, root, new Set());
  const meant = all.find(
    ({ properties }) => isSchema(properties) && wanted.every((key) => Object.hasOwn(properties, key)),
  );
  const objects = wanted.length > 0 && meant ? [meant] : all;
  const properties = new Map(
    objects.flatMap((each) => Object.entries(isSchema(each.properties) ? each.properties : {})).reverse(),
  );
  const required = new Set(objects.flatMap(requiredKeys));
  const entries = [...properties].reverse().flatMap(([key, value]) => (isSchema(value) ? [{ key, value }] : []));
  return entries
    .filter(({ value }) => value.deprecated !== true)
    .map(({ key, value }) => ({
      key,
      type: describeSchema(value, root),
      description: typeof value.description === 'string' ? value.description : '',
      isRequired: required.has(key),
      deprecatedSpellings: entries
        .filter((other) => other.value.deprecationMessage === `Write ${key}.` && other.key !== camelCase(key))
        .map((other) => other.key)
        .filter((spelling, _, all) => !all.some((other) => other !== spelling && camelCase(other) === spelling)),
    }));
}

export function keyTable(rows: readonly KeyRow[], only?: readonly string[]): string {
  const shown = only?.flatMap((key) => rows.find((row) => row.key === key) ?? []) ?? rows;
  const hasOld = shown.some(({ deprecatedSpellings: oldSpellings }) => oldSpellings.length > 0);
  const heads = ['Key', 'Value', 'Meaning', ...(hasOld ? ['Old spellings'] : [])];
  return markdownTable(
    heads,
    shown.map(({ key, type, description, isRequired, deprecatedSpellings: oldSpellings }) => [
      `\`${key}\`${isRequired ? ' (required)' : ''}`,
      type,
      description,
      ...(hasOld ? [oldSpellings.map((spelling) => `\`${spelling}\``).join(', ')] : []),
    ]),
  );
}

/** Returns the object schemas among the alternatives; schemas inside lists and maps only when there is no other. */
function objectsIn(schema: JsonSchema, root: JsonSchema, visited: Set<JsonSchema>): readonly JsonSchema[] {
  if (visited.has(schema)) return [];
  visited.add(schema);
  if (isSchema(schema.properties) && schema.type === 'object') return [schema];
  const definitions = isSchema(root.definitions) ? root.definitions : {};
  const target = definitions[referredName(schema) ?? ''];
  const direct = [target, ...(['anyOf', 'oneOf', 'allOf'] as const).flatMap((keyword) => schemasIn(schema, keyword))]
    .filter(isSchema)
    .flatMap((each) => objectsIn(each, root, visited));
  if (direct.length > 0) return direct;
  return [schema.items, schema.additionalProperties].filter(isSchema).flatMap((each) => objectsIn(each, root, visited));
}

/** Includes a key of which any spelling is required; excludes keys of which one must be chosen. */
function requiredKeys(schema: JsonSchema): readonly string[] {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const choice = { anyOf: schemasIn(schema, 'anyOf') };
  const rules = [...schemasIn(schema, 'allOf'), choice].map((rule) => {
    const choices = schemasIn(rule, 'anyOf');
    return new Set(
      (choices.length > 0 ? choices : [rule]).flatMap(requiredIn).map((key) => presentKey(key, properties)),
    );
  });
  return [...requiredIn(schema), ...rules.flatMap((keys) => (keys.size === 1 ? [...keys] : []))];
}

function requiredIn({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function presentKey(key: string, properties: JsonSchema): string {
  const property = properties[key];
  const message = isSchema(property) ? property.deprecationMessage : undefined;
  return /^Write (\w+)\.$/.exec(typeof message === 'string' ? message : '')?.[1] ?? key;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
