import { JsonScanner } from './json-scanner';

type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'object' | 'array' | 'string';

const integerForm = /^-?(?:0|[1-9]\d*)$/;
const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Converts a value that the model wrote as plain text to JSON: by the first type of its schema that matches, in the order
 * null, boolean, integer, number, object, array; otherwise a string. Where the schema also allows a string, only `null`
 * is recognised. Numbers, objects and arrays keep the model's text.
 */
export function coerceValue(text: string, schema: unknown): string {
  const types = readTypes(schema, 0);
  const trimmed = text.trim();
  if (types.has('null') && trimmed === 'null') return 'null';
  if (types.has('string')) return JSON.stringify(text);
  const lower = trimmed.toLowerCase();
  if (types.has('boolean') && (lower === 'true' || lower === 'false')) return lower;
  if (types.has('integer') && integerForm.test(trimmed)) return trimmed;
  if (types.has('number') && numberForm.test(trimmed)) return trimmed;
  if (types.has('object') && trimmed.startsWith('{') && isJson(trimmed)) return trimmed;
  if (types.has('array') && trimmed.startsWith('[') && isJson(trimmed)) return trimmed;
  return JSON.stringify(text);
}

/** Whether the text is one JSON value, spaces around it aside. */
export function isJson(text: string): boolean {
  const scanner = new JsonScanner();
  const trimmed = text.trim();
  return scanner.feed(trimmed, 0) === trimmed.length && scanner.endsHere();
}

function readTypes(schema: unknown, depth: number): ReadonlySet<JsonType> {
  const types = new Set<JsonType>();
  if (typeof schema !== 'object' || schema === null || depth > 4) return types;
  const { type, anyOf, oneOf } = schema as Readonly<Record<string, unknown>>;
  for (const name of Array.isArray(type) ? (type as readonly unknown[]) : [type]) {
    if (isJsonType(name)) types.add(name);
  }
  for (const choices of [anyOf, oneOf]) {
    if (!Array.isArray(choices)) continue;
    for (const choice of choices as readonly unknown[]) readTypes(choice, depth + 1).forEach((name) => types.add(name));
  }
  return types;
}

function isJsonType(name: unknown): name is JsonType {
  return ['null', 'boolean', 'integer', 'number', 'object', 'array', 'string'].includes(name as string);
}
