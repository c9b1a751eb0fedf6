import type { JsonSchema } from '../../shapes/json-schema/json-schema';
import { referredName } from '../../shapes/json-schema/schema-book';
import { isSchema, schemasIn } from '../../shapes/json-schema/sub-schemas';

const typeNames: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  object: 'map',
  array: 'list',
};

/** Longer enumerations are only counted. */
const maxNamedKeywords = 10;
/** Larger bounds protect the server and do not concern authors. */
const maxShownBound = 1_000_000;

/**
 * Describes the values a key may have, for people: `integer` or `list of strings`. Leaves out what applies to
 * every key: that it may be empty, and that a reference may stand for a number.
 */
export function describeSchema(schema: JsonSchema, root: JsonSchema): string {
  const choices = [...new Set(listChoices(schema, { root, visited: new Set() }))];
  const isKeyword = (choice: string): boolean => choice.startsWith('`');
  const keywords = choices.filter(isKeyword);
  if (keywords.length <= maxNamedKeywords) return joinChoices(choices);
  return joinChoices([`one of ${keywords.length} keywords`, ...choices.filter((choice) => !isKeyword(choice))]);
}

function joinChoices(choices: readonly string[]): string {
  if (choices.some((choice) => choice.includes(', ') || choice.includes(' or '))) return choices.join('; or ');
  const last = choices.at(-1) ?? 'anything';
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`;
}

interface Reading {
  readonly root: JsonSchema;
  /** The definitions entered so far, so that recursive schemas terminate. */
  readonly visited: ReadonlySet<string>;
}

function listChoices(schema: JsonSchema, reading: Reading): readonly string[] {
  const name = referredName(schema);
  if (name !== undefined) return reading.visited.has(name) ? ['map'] : listChoices(...follow(name, reading));
  if (schema.const !== undefined) return [code(schema.const)];
  if (Array.isArray(schema.enum)) return schema.enum.filter((each) => each !== null).map(code);
  if (schema.type !== undefined) {
    return isReference(schema) ? [] : listTypes(schema).flatMap((type) => describeType(type, schema, reading));
  }
  const inner = [...schemasIn(schema, 'anyOf'), ...schemasIn(schema, 'oneOf')];
  return inner.length > 0 ? inner.flatMap((each) => listChoices(each, reading)) : listReferences(schema, reading);
}

function isReference({ pattern }: JsonSchema): boolean {
  return pattern === '\\$';
}

/** `allOf` with a reference attaches a description to a shared definition. */
function listReferences(schema: JsonSchema, reading: Reading): readonly string[] {
  const parts = schemasIn(schema, 'allOf').filter((part) => referredName(part) !== undefined);
  return parts.length === 0 ? ['anything'] : parts.flatMap((part) => listChoices(part, reading));
}

function follow(name: string, { root, visited: met }: Reading): [JsonSchema, Reading] {
  const definitions = isSchema(root.definitions) ? root.definitions : {};
  const target = definitions[name];
  return [isSchema(target) ? target : {}, { root, visited: new Set([...met, name]) }];
}

/** A string that may also be written as a number or boolean is described as a string. */
function listTypes({ type }: JsonSchema): readonly string[] {
  const given: readonly unknown[] = Array.isArray(type) ? type : [type];
  const types = given.filter((each) => typeof each === 'string').filter((each) => each !== 'null');
  const isText = types.includes('string');
  return types.filter((each) => !isText || (each !== 'number' && each !== 'boolean' && each !== 'integer'));
}

function describeType(type: string, schema: JsonSchema, reading: Reading): readonly string[] {
  if (type === 'boolean') return ['`true`', '`false`'];
  const { items, additionalProperties: values } = schema;
  if (type === 'array' && isSchema(items)) return [`list of ${plural(listChoices(items, reading))}`];
  if (type === 'object' && isSchema(values)) return [`map to ${plural(listChoices(values, reading))}`];
  const isNumber = type === 'integer' || type === 'number';
  return [`${typeNames[type] ?? type}${isNumber ? describeRange(schema) : ''}`];
}

function describeRange({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const least = shownBound(minimum);
  const most = shownBound(maximum);
  const above = shownBound(exclusiveMinimum);
  if (least !== undefined) return most === undefined ? `, ${least} or more` : `, ${least} to ${most}`;
  if (above !== undefined) return `, more than ${above}`;
  return most === undefined ? '' : `, ${most} at most`;
}

function shownBound(bound: unknown): number | undefined {
  return typeof bound === 'number' && Math.abs(bound) <= maxShownBound ? bound : undefined;
}

function plural(choices: readonly string[]): string {
  const several = [...new Set(choices)].map((choice) =>
    choice.replace(/^(string|map|list|number|integer)\b/, (word) => `${word}s`),
  );
  return several.join(' or ');
}

function code(value: unknown): string {
  return `\`${String(value)}\``;
}
