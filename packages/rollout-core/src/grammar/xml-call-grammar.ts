import type { ToolDefinition } from '../conversation/message';
import { terminal, type GrammarRules } from './grammar-rules';
import { isSchema, type Schema, type SchemaGrammar } from './schema';
import { createSchemaGrammar } from './schema-grammar';
import { schemaNotSupported } from './schema-error';
import { textWithout } from './text-without';

/** How a format writes one parameter. */
export interface ParameterForm {
  /** `type` of the schema, if it is a single one. */
  readonly before: (name: string, type: unknown) => string;
  readonly after: string;
  /** What free text may not contain, because it would end the value. */
  readonly ends: readonly string[];
}

export interface ParametersRuleInput {
  readonly tool: ToolDefinition;
  readonly index: number;
  readonly rules: GrammarRules;
  readonly form: ParameterForm;
}

/** The parameters of an XML call in the schema's order. Strings are free text; other values are JSON of their schema. */
export function parametersRule({ tool, index, rules, form }: ParametersRuleInput): string {
  const schema = tool.parameters ?? {};
  const path = `/tools/${index}/parameters/properties`;
  const { properties = {}, required = [] } = schema;
  if (!isSchema(properties)) throw schemaNotSupported(path, 'this must be an object');
  const grammar = createSchemaGrammar(schema, rules);
  const text = memoised(() => textWithout(form.ends, rules));
  const parts = Object.entries(properties).map(([name, property]) => {
    if (/[<>"\s]/.test(name)) throw schemaNotSupported(path, 'the name cannot be written as a tag');
    const value = valueRule(grammar, property, `${path}/${name}`, text);
    const type = isSchema(property) ? property.type : undefined;
    const part = `${terminal(form.before(name, type))} ${value} ${terminal(form.after)}`;
    return Array.isArray(required) && required.includes(name) ? part : `(${part})?`;
  });
  return rules.add(parts.length === 0 ? '""' : parts.join(' '));
}

function valueRule(grammar: SchemaGrammar, property: unknown, path: string, text: () => string): string {
  const schema: Schema = isSchema(property) ? property : {};
  const values: unknown = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string')) {
    return grammar.rules.add(values.map((value: string) => terminal(value)).join(' | '));
  }
  const isPlain = ['boolean', 'integer', 'number', 'array', 'object'].includes(schema.type as string);
  return isPlain ? grammar.toRule(schema, path, 1) : text();
}

function memoised(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}
