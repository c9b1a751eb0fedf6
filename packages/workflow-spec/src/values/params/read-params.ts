import type { ParamDef } from '../../model/param';
import type { SourceLocation } from '../../source/findings/source-location';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { objectSchema } from '../../shapes/object-kind';
import { readText, reportWrongKind, type Reader } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { containsCommand } from '../environment/contains-command';
import { getEntries, getItems, getKind, report, type YamlEntry, type YamlValue } from '../../source/yaml/yaml-value';
import { splitParams, toSingleParam, type ParamWord } from './param-words';
import { readRichParam, richParamKind } from './rich-param';
import { hasParamName, isSchemaForm, plainParam, readSchemaForm, schemaForm, type ReadParams } from './schema-form';
import { isParamSchema, paramSchema } from './schema-param';

interface LocatedParam {
  readonly definition: ParamDef;
  readonly location: SourceLocation;
}

const readParams: Reader<ReadParams> = (value) => {
  if (getKind(value) === 'map' && isSchemaForm(value)) return readSchemaForm(value);
  if (getKind(value) === 'map' && isParamSchema(value)) {
    const read = paramSchema.read(value);
    return read && { params: read.params, paramSchema: { kind: 'inline', schema: read.schema } };
  }
  const located = readForms(value);
  if (!located) return undefined;
  if (located.length > limits.params) {
    report(value, 'invalid_param', `a DAG may have ${limits.params} parameters at most`);
  }
  const limited = located.slice(0, limits.params);
  for (const param of limited) reportCommandAsText(param, value);
  return { params: dropDuplicates(limited, value) };
};

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

function readForms(value: YamlValue): readonly LocatedParam[] | undefined {
  switch (getKind(value)) {
    case 'list':
      return getItems(value).flatMap(readItem);
    case 'map':
      return getEntries(value).flatMap(readMapEntry);
    case 'text':
    case 'number':
    case 'boolean':
      return readLine(value);
    default: {
      reportWrongKind(value, 'a string, a list or a map');
      return undefined;
    }
  }
}

function readLine(value: YamlValue): readonly LocatedParam[] | undefined {
  const words = splitParams(readText(value) ?? '');
  if (words) return words.map((word) => ({ definition: fromWord(word), location: value }));
  report(value, 'invalid_param', 'params has a quote that is not closed');
  return undefined;
}

function readItem(item: YamlValue): readonly LocatedParam[] {
  if (getKind(item) !== 'map') {
    const text = readText(item);
    return text === undefined ? [] : [{ definition: fromWord(toSingleParam(text)), location: item }];
  }
  const entries = getEntries(item);
  const isRich = entries.some(({ key }) => key === 'name') || entries.length > 1;
  if (!isRich) return entries.flatMap(readMapEntry);
  if (!entries.some(({ key }) => richParamKind.spellings.has(key))) {
    report(item, 'invalid_param', 'an entry of params must be a map with one key, or have a name');
    return [];
  }
  const definition = readRichParam(item);
  return definition ? [{ definition, location: item }] : [];
}

function readMapEntry(entry: YamlEntry): readonly LocatedParam[] {
  if (!hasParamName(entry)) return [];
  return plainParam(entry).map((definition) => ({ definition, location: entry.location }));
}

function fromWord({ name, value }: ParamWord): ParamDef {
  return { ...(name === undefined ? {} : { name }), type: 'string', default: value, required: false };
}

/** Warns about a command in a default, which older files expect to be executed. */
function reportCommandAsText({ definition, location }: LocatedParam, { context }: YamlValue): void {
  const { name, default: text, eval: evaluated } = definition;
  if (typeof text !== 'string' || evaluated !== undefined || !containsCommand(text)) return;
  const what = name === undefined ? 'a parameter without a name' : `parameter ${quote(name)}`;
  context.report.add(
    'command_is_text',
    location,
    `${what} has a command in its default, which is not executed; use eval`,
  );
}

function dropDuplicates(located: readonly LocatedParam[], value: YamlValue): readonly ParamDef[] {
  const names = new Set<string>();
  return located.flatMap(({ definition, location }) => {
    const { name } = definition;
    if (name === undefined || !names.has(name)) {
      if (name !== undefined) names.add(name);
      return [definition];
    }
    value.context.report.add('duplicate_param', location, `parameter ${quote(name)} is declared twice`);
    return [];
  });
}
