import type { ToolDefinition } from '../conversation/message';
import { eachTool, repeatedCalls, type CallRules } from '../grammar/call-rules';
import { createGrammarRules, terminal, type Enclosure, type ValueNotation } from '../grammar/grammar-rules';
import { isSchema, type Schema } from '../grammar/schema';
import { schemaChoices, type SchemaChoice } from '../grammar/schema-choices';
import { schemaNotSupported } from '../grammar/schema-error';
import { negatedClass, textWithout } from '../grammar/text-without';
import { itemName } from './element-arguments';

export interface ElementForm {
  /** Stands before every tag. */
  readonly mark: string;
  /** The tags around the calls of an answer. */
  readonly block: { readonly open: string; readonly close: string };
  /** The tags of a call; the first is followed by its name. */
  readonly invoke: { readonly open: string; readonly close: string };
}

/** GBNF of calls whose arguments `createElementReader` reads. */
export function createElementGrammar({ mark, block, invoke }: ElementForm, calls: CallRules): string {
  const rules = createGrammarRules({ notation: createNotation(mark) });
  const tools = calls.tools.map(withNamedParameters);
  const call = eachTool(
    { ...calls, rules, tools },
    ({ name }, parameters) => `${terminal(`${invoke.open}${name}">`)} ${parameters} ${terminal(`${invoke.close}\n`)}`,
  );
  // Schemas that are too large or too deep were refused above.
  for (const [index, { parameters }] of tools.entries()) assertUnambiguous(parameters, `/tools/${index}/parameters`);
  return rules.text(`${terminal(`${block.open}\n`)} ${repeatedCalls(calls, call, '')} ${terminal(block.close)}`);
}

/** Arguments that the schema does not name are never written. */
function withNamedParameters(tool: ToolDefinition): ToolDefinition {
  const { parameters } = tool;
  const isNamed = isSchema(parameters?.properties) && Object.keys(parameters.properties).length > 0;
  return isNamed || parameters?.$ref !== undefined
    ? tool
    : { ...tool, parameters: { type: 'object', additionalProperties: false } };
}

/** Names that a tag can have. */
const tagName = /^[^\s<>/][^\s<>]{0,127}$/;

/** Texts do not have the mark in them. Names cannot be free, because a grammar cannot repeat them in the closing tag. */
function createNotation(mark: string): ValueNotation {
  const texts: Record<string, string> = {};
  let states = 0;
  const text = textWithout([mark], {
    reserve: () => `text${states++}`,
    define: (name, body) => void (texts[name] = body),
  });
  const enclose = (name: string): Enclosure => ({
    before: terminal(`${mark}<${name}>`),
    after: terminal(`${mark}</${name}>`),
  });
  const nothing = { before: '', after: '' };
  return {
    quote: '',
    object: nothing,
    list: nothing,
    item: enclose(itemName),
    separator: '',
    member: (name) => (tagName.test(name) && !name.includes(mark) ? enclose(name) : undefined),
    rules: {
      ...texts,
      gap: '""',
      character: negatedClass([mark.charAt(0)]),
      string: text,
      digits: '"0" | [1-9] [0-9]{0,14}',
      integer: '"-"? digits',
      number: '"-"? digits ("." [0-9]{1,15})? ([eE] [+-]? [0-9]{1,2})?',
      boolean: '"true" | "false"',
      null: '"null"',
      value: text,
    },
    write: (value) => {
      if (typeof value !== 'string') return isContainer(value) ? undefined : JSON.stringify(value);
      return value.includes(mark) ? undefined : value;
    },
  };
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Types are not in the text, so a value of a union could be read as one of another type than it was written with. Fails
 * with `schema_not_supported` where that value might not be valid.
 */
function assertUnambiguous(root: unknown, rootPath: string): void {
  const seen = new Set<unknown>();
  const visit = (schema: unknown, path: string): void => {
    if (!isSchema(schema) || seen.has(schema)) return;
    seen.add(schema);
    const choices = schemaChoices(schema, root);
    if (!canBeTold(choices)) {
      throw schemaNotSupported(path, 'the format of the model cannot tell the types of this union apart');
    }
    for (const { properties, additionalProperties, items } of choices) {
      for (const [name, property] of Object.entries(isSchema(properties) ? properties : {})) {
        visit(property, `${path}/properties/${name}`);
      }
      visit(additionalProperties, `${path}/additionalProperties`);
      visit(items, `${path}/items`);
    }
  };
  visit(root, rootPath);
}

/** A text is a string where it may be one, and elements are the only list or object that there is. */
function canBeTold(choices: readonly SchemaChoice[]): boolean {
  const strings = choices.filter(({ type }) => type === 'string');
  const others = choices.filter(({ type }) => type !== 'string' && type !== 'null');
  const nested = choices.filter(({ type }) => type === 'array' || type === 'object');
  const isAnyText = strings.length === 0 || strings.some((choice) => !isBounded(choice));
  return nested.length <= 1 && (isAnyText || others.length === 0);
}

const isBounded = (schema: Schema): boolean =>
  ['enum', 'const', 'minLength', 'maxLength'].some((keyword) => keyword in schema);
