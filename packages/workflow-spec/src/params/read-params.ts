import type { ParamDef } from '../canonical/param';
import type { Spot } from '../finding-report';
import { limits } from '../limits';
import { quote } from '../quote';
import { objectSchema } from '../read/object-kind';
import { readText, wrongKind, type Reader } from '../read/readers';
import { namedShape, shape } from '../read/shape';
import { holdsCommand } from '../values/holds-command';
import { entriesOf, itemsOf, kindOf, report, type YamlEntry, type YamlValue } from '../yaml/yaml-value';
import { splitParams, toSingleParam, type ParamWord } from './param-words';
import { readRichParam, richParamKind } from './rich-param';
import { hasParamName, isSchemaForm, plainParam, readSchemaForm, schemaForm, type ReadParams } from './schema-form';
import { isParamSchema, paramSchema } from './schema-param';

interface PlacedParam {
  readonly definition: ParamDef;
  readonly spot: Spot;
}

/**
 * A line of words, a list of texts, one-key maps and entries with rules, a map from name to default, a JSON Schema, or
 * one with values.
 */
const readParams: Reader<ReadParams> = (value) => {
  if (kindOf(value) === 'map' && isSchemaForm(value)) return readSchemaForm(value);
  if (kindOf(value) === 'map' && isParamSchema(value)) {
    const read = paramSchema.read(value);
    return read && { params: read.params, paramSchema: { kind: 'inline', schema: read.schema } };
  }
  const placed = readForms(value);
  if (!placed) return undefined;
  if (placed.length > limits.params) {
    report(value, 'invalid_param', `a DAG may have ${limits.params} parameters at most`);
  }
  const kept = placed.slice(0, limits.params);
  for (const param of kept) warnOfCommand(param, value);
  return { params: withoutRepeats(kept, value) };
};

/** All forms of params. */
export const params = namedShape(
  'Params',
  shape(readParams, (book) => ({
    anyOf: [
      { type: ['string', 'number', 'boolean'] },
      schemaForm.schema(book),
      paramSchema.schema(book),
      { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
      {
        type: 'array',
        items: {
          anyOf: [
            { type: ['string', 'number', 'boolean'] },
            objectSchema(richParamKind, book),
            { type: 'object', maxProperties: 1 },
          ],
        },
      },
    ],
  })),
);

function readForms(value: YamlValue): readonly PlacedParam[] | undefined {
  switch (kindOf(value)) {
    case 'list':
      return itemsOf(value).flatMap(readItem);
    case 'map':
      return entriesOf(value).flatMap(readMapEntry);
    case 'text':
    case 'number':
    case 'boolean':
      return readLine(value);
    default: {
      wrongKind(value, 'a text, a list or a map');
      return undefined;
    }
  }
}

function readLine(value: YamlValue): readonly PlacedParam[] | undefined {
  const words = splitParams(readText(value) ?? '');
  if (words) return words.map((word) => ({ definition: fromWord(word), spot: value }));
  report(value, 'invalid_param', 'params has a quote that is not closed');
  return undefined;
}

function readItem(item: YamlValue): readonly PlacedParam[] {
  if (kindOf(item) !== 'map') {
    const text = readText(item);
    return text === undefined ? [] : [{ definition: fromWord(toSingleParam(text)), spot: item }];
  }
  const entries = entriesOf(item);
  const isRich = entries.some(({ key }) => key === 'name') || entries.length > 1;
  if (!isRich) return entries.flatMap(readMapEntry);
  if (!entries.some(({ key }) => richParamKind.spellings.has(key))) {
    report(item, 'invalid_param', 'an entry of params must be a map with one key, or have a name');
    return [];
  }
  const definition = readRichParam(item);
  return definition ? [{ definition, spot: item }] : [];
}

function readMapEntry(entry: YamlEntry): readonly PlacedParam[] {
  if (!hasParamName(entry)) return [];
  return plainParam(entry).map((definition) => ({ definition, spot: entry.spot }));
}

function fromWord({ name, value }: ParamWord): ParamDef {
  return { ...(name === undefined ? {} : { name }), type: 'string', default: value, required: false };
}

/** Points out a command in a default, which older files expect to run. */
function warnOfCommand({ definition, spot }: PlacedParam, { context }: YamlValue): void {
  const { name, default: text, eval: evaluated } = definition;
  if (typeof text !== 'string' || evaluated !== undefined || !holdsCommand(text)) return;
  const what = name === undefined ? 'a parameter without a name' : `parameter ${quote(name)}`;
  context.report.add('command_is_text', spot, `${what} has a text as its default, which runs no command; eval does`);
}

function withoutRepeats(placed: readonly PlacedParam[], value: YamlValue): readonly ParamDef[] {
  const names = new Set<string>();
  return placed.flatMap(({ definition, spot }) => {
    const { name } = definition;
    if (name === undefined || !names.has(name)) {
      if (name !== undefined) names.add(name);
      return [definition];
    }
    value.context.report.add('duplicate_param', spot, `parameter ${quote(name)} is declared twice`);
    return [];
  });
}
