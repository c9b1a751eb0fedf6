import { sequence } from './grammar-rules';
import { isSchema, type Schema, type SchemaGrammar } from './schema';
import { schemaNotSupported } from './schema-error';

const maxProperties = 200;

/**
 * Properties are in the schema's order, each at most once. Besides named properties there are no others, even where the
 * schema allows them: the result is valid and shorter.
 */
export function objectBody(grammar: SchemaGrammar, schema: Schema, path: string, depth: number): string {
  const properties = readProperties(schema, path);
  const required = readRequired(schema, properties, path);
  const names = Object.keys(properties);
  if (names.length === 0) return mapBody(grammar, schema, path, depth);
  if (isSchema(schema.additionalProperties)) {
    throw schemaNotSupported(`${path}/additionalProperties`, 'a schema beside named properties is not supported');
  }
  const { notation } = grammar.rules;
  grammar.rules.shared('gap');
  const members = names.map((name) => {
    const value = grammar.toRule(properties[name], `${path}/properties/${escapePointer(name)}`, depth + 1);
    const around = notation.member(name);
    if (around === undefined)
      throw schemaNotSupported(`${path}/properties`, 'the format of the model has no such name');
    return { text: sequence(around.before, value, around.after), isRequired: required.has(name) };
  });
  return grammar.rules.add(sequence(notation.object.before, membersRule(grammar, members), notation.object.after));
}

interface Member {
  readonly text: string;
  readonly isRequired: boolean;
}

/** Two chains from the last property to the first: one after a comma, one before the first property. */
function membersRule(grammar: SchemaGrammar, members: readonly Member[]): string {
  const { separator } = grammar.rules.notation;
  let following = '';
  let first = '';
  for (const { text, isRequired } of members.toReversed()) {
    const started = `${text} ${following}`.trimEnd();
    if (isRequired) first = started;
    else first = grammar.rules.add(first === '' ? `(${started})?` : `${started} | ${first}`);
    const next = sequence(separator, text);
    following = grammar.rules.add(`${isRequired ? next : `(${next})?`} ${following}`.trimEnd());
  }
  return first;
}

function mapBody(grammar: SchemaGrammar, schema: Schema, path: string, depth: number): string {
  const { additionalProperties = true } = schema;
  const { rules } = grammar;
  const { object, rules: shared } = rules.notation;
  if (additionalProperties === false) return rules.add(sequence(object.before, object.after));
  if (!Object.hasOwn(shared, 'object')) {
    throw schemaNotSupported(path, 'the format of the model needs the names of all properties');
  }
  if (additionalProperties === true) return rules.shared('object');
  const value = grammar.toRule(additionalProperties, `${path}/additionalProperties`, depth + 1);
  const gap = rules.shared('gap');
  const member = rules.add(`${rules.shared('key')} ":" ${gap} ${value}`);
  return rules.add(`"{" (${member} ("," ${gap} ${member})*)? "}"`);
}

function readProperties(schema: Schema, path: string): Schema {
  const { properties = {} } = schema;
  if (!isSchema(properties)) throw schemaNotSupported(`${path}/properties`, 'this must be an object');
  if (Object.keys(properties).length > maxProperties) {
    throw schemaNotSupported(`${path}/properties`, `there are more than ${maxProperties}`);
  }
  return properties;
}

function readRequired(schema: Schema, properties: Schema, path: string): ReadonlySet<string> {
  const { required = [] } = schema;
  const names: readonly unknown[] = Array.isArray(required) ? required : [undefined];
  for (const name of names) {
    if (typeof name !== 'string' || !Object.hasOwn(properties, name)) {
      throw schemaNotSupported(`${path}/required`, 'every required property must be among the properties');
    }
  }
  return new Set(names as readonly string[]);
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
