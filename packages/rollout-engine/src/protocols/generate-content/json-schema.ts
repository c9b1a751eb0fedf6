import { invalidRequest } from '../invalid-request';
import { toCamelCase } from './field-names';

type Schema = Readonly<Record<string, unknown>>;

const maxDepth = 64;
/** Numbers that this protocol also writes as strings. */
const counts = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']);
const ownKeywords = new Set(['type', 'nullable', 'propertyOrdering', 'example']);

/** Converts a schema of this protocol, whose types are in capitals, to JSON Schema. JSON Schema stays what it is. */
export function toJsonSchema(schema: Schema, at: string): Schema {
  return convert(schema, at, 0);
}

function convert(given: unknown, at: string, depth: number): Schema {
  if (depth > maxDepth) throw invalidRequest(at.slice(0, 200), `is nested more than ${maxDepth} deep.`);
  if (!isSchema(given)) throw invalidRequest(at.slice(0, 200), 'must be a schema.');
  const schema: Schema = Object.fromEntries(Object.entries(given).map(([name, value]) => [toCamelCase(name), value]));
  const isNullable = schema.nullable === true;
  const type = toType(schema.type, isNullable);
  const rest = Object.entries(schema).flatMap(([keyword, value]): readonly [string, unknown][] => {
    if (ownKeywords.has(keyword) || value === null) return [];
    const path = `${at}.${keyword}`;
    if (keyword === 'properties') return [[keyword, toProperties(value, schema.propertyOrdering, path, depth)]];
    if (keyword === '$defs' || keyword === 'defs') return [['$defs', toProperties(value, undefined, path, depth)]];
    if (keyword === 'items') return [[keyword, convert(value, path, depth + 1)]];
    if (keyword === 'anyOf') return [[keyword, toChoices(value, isNullable, path, depth)]];
    if (keyword === 'enum' && isNullable && Array.isArray(value))
      return [[keyword, [...new Set<unknown>(value as readonly unknown[]).add(null)]]];
    if (keyword === 'additionalProperties' && isSchema(value)) return [[keyword, convert(value, path, depth + 1)]];
    return [[keyword, counts.has(keyword) && typeof value === 'string' ? Number(value) : value]];
  });
  return {
    ...(type === undefined ? {} : { type }),
    ...Object.fromEntries(rest),
    ...(schema.example === undefined || schema.example === null ? {} : { examples: [schema.example] }),
  };
}

function toType(type: unknown, isNullable: boolean): unknown {
  if (type === 'TYPE_UNSPECIFIED' || type === undefined || type === null) return undefined;
  if (typeof type !== 'string') return type;
  const name = type.toLowerCase();
  return isNullable && name !== 'null' ? [name, 'null'] : name;
}

function toChoices(choices: unknown, isNullable: boolean, at: string, depth: number): readonly unknown[] {
  if (!Array.isArray(choices)) throw invalidRequest(at, 'must be a list of schemas.');
  const converted = choices.map((choice, index) => convert(choice, `${at}[${index}]`, depth + 1));
  return isNullable && !converted.some(({ type }) => type === 'null') ? [...converted, { type: 'null' }] : converted;
}

/** Answers have their keys in the order of the properties. */
function toProperties(properties: unknown, ordering: unknown, at: string, depth: number): Schema {
  if (!isSchema(properties)) throw invalidRequest(at.slice(0, 200), 'must be an object.');
  const first = Array.isArray(ordering) ? ordering.map(String).filter((name) => Object.hasOwn(properties, name)) : [];
  const ordered = [...new Set([...first, ...Object.keys(properties)])];
  return Object.fromEntries(ordered.map((name) => [name, convert(properties[name], `${at}.${name}`, depth + 1)]));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
