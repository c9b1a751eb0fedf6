import { createGrammarRules, sequence, terminal, type GrammarRules } from './grammar-rules';
import { objectBody } from './object-grammar';
import { findDefinition, isSchema, type Schema, type SchemaGrammar } from './schema';
import { schemaNotSupported } from './schema-error';

const maxDepth = 32;
const maxSchemas = 2_000;
const maxChoices = 500;
const maxLength = 1_000;
const maxItems = 1_000;

const annotations = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
]);

const typeKeywords: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum'],
  number: ['minimum', 'maximum'],
  boolean: [],
  null: [],
};

/** The grammar of JSON values that are valid for the schema, without line breaks. */
export function createJsonSchemaGrammar(schema: unknown): string {
  const rules = createGrammarRules();
  return rules.text(createSchemaGrammar(schema, rules).toRule(schema, '', 0));
}

/** The grammar of any JSON object. */
export function createJsonObjectGrammar(): string {
  const rules = createGrammarRules();
  return rules.text(rules.shared('object'));
}

/** @param root The schema that `$ref` refers to. */
export function createSchemaGrammar(root: unknown, rules: GrammarRules): SchemaGrammar {
  const references = new Map<string, string>();
  /** References that are being followed without output in between. */
  let following: readonly string[] = [];
  let schemas = 0;

  const grammar: SchemaGrammar = { rules, toRule: (schema, path, depth) => readSchema(schema, path, depth, []) };

  const readSchema = (schema: unknown, path: string, depth: number, chain: readonly string[]): string => {
    if (++schemas > maxSchemas || depth > maxDepth) throw schemaNotSupported(path, 'it is too large or too deep');
    if (schema === true) return rules.shared('value');
    if (!isSchema(schema)) throw schemaNotSupported(path, 'this is not a schema');
    const outer = following;
    following = chain;
    try {
      return bodyRule(schema, path, depth);
    } finally {
      following = outer;
    }
  };

  const bodyRule = (schema: Schema, path: string, depth: number): string => {
    if (schema.$ref !== undefined) {
      refuseOthers(schema, ['$ref'], path);
      return reference(schema.$ref, path, depth);
    }
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) {
      const keyword = schema.anyOf === undefined ? 'oneOf' : 'anyOf';
      refuseOthers(schema, [keyword], path);
      return alternatives(choices, `${path}/${keyword}`, (choice, at) => readSchema(choice, at, depth + 1, following));
    }
    if ('const' in schema || 'enum' in schema) return fixedValues(schema, path, rules);
    return typed(grammar, schema, path, depth);
  };

  const alternatives = (list: unknown, path: string, read: (item: unknown, path: string) => string): string => {
    if (!Array.isArray(list) || list.length === 0 || list.length > maxChoices) {
      throw schemaNotSupported(path, `this must be a list of 1 to ${maxChoices}`);
    }
    return rules.add((list as readonly unknown[]).map((item, index) => read(item, `${path}/${index}`)).join(' | '));
  };

  const reference = (target: unknown, path: string, depth: number): string => {
    const pointer = typeof target === 'string' ? target : '';
    const schema = findDefinition(root, pointer);
    if (schema === undefined)
      throw schemaNotSupported(`${path}/$ref`, 'only references to $defs and definitions are supported');
    // A rule that refers to itself without output in between has no text, and engines do not terminate on it.
    if (following.includes(pointer)) throw schemaNotSupported(`${path}/$ref`, 'the reference refers to itself');
    const known = references.get(pointer);
    if (known !== undefined) return known;
    const name = rules.reserve();
    references.set(pointer, name);
    rules.define(name, readSchema(schema, pointer.slice(1), depth + 1, [...following, pointer]));
    return name;
  };

  return grammar;
}

function refuseOthers(schema: Schema, allowed: readonly string[], path: string): void {
  for (const keyword of Object.keys(schema)) {
    if (!annotations.has(keyword) && !allowed.includes(keyword)) {
      throw schemaNotSupported(`${path}/${keyword}`, 'this keyword is not supported here');
    }
  }
}

function fixedValues(schema: Schema, path: string, rules: GrammarRules): string {
  const keyword = 'const' in schema ? 'const' : 'enum';
  refuseOthers(schema, [keyword, 'type'], path);
  const given: unknown = keyword === 'const' ? [schema.const] : schema.enum;
  const values: readonly unknown[] = Array.isArray(given) ? given : [];
  const types = schema.type === undefined ? undefined : typeList(schema, path);
  const fitting = values.filter((value) => types?.some((type) => isOfType(value, type)) ?? true);
  if (fitting.length === 0 || fitting.length > maxChoices) {
    throw schemaNotSupported(`${path}/${keyword}`, `there must be 1 to ${maxChoices} values of the type`);
  }
  const texts = fitting.map((value) => {
    const text = rules.notation.write(value);
    if (text === undefined) throw schemaNotSupported(`${path}/${keyword}`, 'the format of the model cannot write it');
    return terminal(text);
  });
  return rules.add(texts.join(' | '));
}

function typeList(schema: Schema, path: string): readonly string[] {
  const { type } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type ?? impliedType(schema)];
  const known = types.filter((name): name is string => typeof name === 'string' && Object.hasOwn(typeKeywords, name));
  if (known.length === 0 || known.length !== types.length)
    throw schemaNotSupported(`${path}/type`, 'the type is not known');
  return known;
}

function impliedType(schema: Schema): string | undefined {
  return Object.keys(typeKeywords).find((type) => typeKeywords[type]?.some((keyword) => keyword in schema));
}

function typed(grammar: SchemaGrammar, schema: Schema, path: string, depth: number): string {
  if (Object.keys(schema).every((keyword) => annotations.has(keyword))) return grammar.rules.shared('value');
  refuseOthers(schema, ['type', ...Object.values(typeKeywords).flat()], path);
  const types = typeList(schema, path);
  refuseOthers(schema, ['type', ...types.flatMap((type) => typeKeywords[type] ?? [])], path);
  const bodies = types.map((type) => bodyOfType(grammar, type, schema, path, depth));
  return bodies.length === 1 ? (bodies[0] ?? '') : grammar.rules.add(bodies.join(' | '));
}

function bodyOfType(grammar: SchemaGrammar, type: string, schema: Schema, path: string, depth: number): string {
  const { rules } = grammar;
  switch (type) {
    case 'object':
      return objectBody(grammar, schema, path, depth);
    case 'array':
      return arrayBody(grammar, schema, path, depth);
    case 'string':
      return stringBody(rules, schema, path);
    case 'integer':
    case 'number':
      return numberBody(rules, type, schema, path);
    case 'boolean':
      return rules.shared('boolean');
    default:
      return rules.shared('null');
  }
}

function arrayBody(grammar: SchemaGrammar, schema: Schema, path: string, depth: number): string {
  const { rules } = grammar;
  const { items = true } = schema;
  const min = readCount(schema.minItems, 0, maxItems, `${path}/minItems`) ?? 0;
  const max = readCount(schema.maxItems, min, maxItems, `${path}/maxItems`);
  const { list, item: around, separator } = rules.notation;
  if (max === 0) return rules.add(sequence(list.before, list.after));
  const item = sequence(around.before, grammar.toRule(items, `${path}/items`, depth + 1), around.after);
  rules.shared('gap');
  const count = times(Math.max(0, min - 1), max === undefined ? max : max - 1);
  const whole = sequence(item, max === 1 ? '' : `(${sequence(separator, item)})${count}`);
  return rules.add(sequence(list.before, min === 0 ? `(${whole})?` : whole, list.after));
}

function stringBody(rules: GrammarRules, schema: Schema, path: string): string {
  const min = readCount(schema.minLength, 0, maxLength, `${path}/minLength`) ?? 0;
  const max = readCount(schema.maxLength, min, maxLength, `${path}/maxLength`);
  const quote = terminal(rules.notation.quote);
  if (max === 0) return rules.add(`${quote} ${quote}`);
  if (min === 0 && max === undefined) return rules.shared('string');
  return rules.add(`${quote} ${rules.shared('character')}${times(min, max)} ${quote}`);
}

function times(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : `{${min},}`;
  return `{${min},${max}}`;
}

function readCount(value: unknown, least: number, most: number, path: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw schemaNotSupported(path, `this must be an integer from ${least} to ${most}`);
  }
  return value;
}

/** Supports only bounds that need no extra rules: zero, and those beyond every number of the grammar. */
function numberBody(rules: GrammarRules, type: 'integer' | 'number', schema: Schema, path: string): string {
  const { minimum, maximum, exclusiveMinimum } = schema;
  const widest = type === 'integer' ? 1e15 : Number.MAX_VALUE;
  if (maximum !== undefined && !(typeof maximum === 'number' && maximum >= widest)) {
    throw schemaNotSupported(`${path}/maximum`, 'a maximum is not supported');
  }
  if (exclusiveMinimum !== undefined && exclusiveMinimum !== 0) {
    throw schemaNotSupported(`${path}/exclusiveMinimum`, 'only 0 is supported');
  }
  const isFree = minimum === undefined || (typeof minimum === 'number' && minimum <= -widest);
  if (!isFree && minimum !== 0 && !(type === 'integer' && minimum === 1)) {
    throw schemaNotSupported(`${path}/minimum`, 'only 0 is supported, and 1 for an integer');
  }
  if (type === 'integer' && (minimum === 1 || exclusiveMinimum === 0)) return rules.add('[1-9] [0-9]{0,14}');
  if (isFree) return rules.shared(type);
  const digits = rules.shared('digits');
  return rules.add(type === 'integer' ? digits : `${digits} ("." [0-9]{1,15})?`);
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isSchema(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
