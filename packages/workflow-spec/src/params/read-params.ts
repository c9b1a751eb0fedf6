import type { ParamDef } from '../dag';
import type { Spot } from '../finding-report';
import { limits } from '../limits';
import { quote } from '../quote';
import { readText, wrongKind, type Reader } from '../read/readers';
import { entriesOf, itemsOf, kindOf, report, textOf, type YamlEntry, type YamlValue } from '../yaml/yaml-value';
import { paramNamePattern, splitParams, toSingleParam, type ParamWord } from './param-words';
import { invalidParamName, readRichParam, richParamKind } from './rich-param';

interface PlacedParam {
  readonly definition: ParamDef;
  readonly spot: Spot;
}

/** A line of words, a list of texts, one-key maps and entries with rules, or a map from name to default. */
export const readParams: Reader<readonly ParamDef[]> = (value) => {
  const placed = readForms(value);
  if (!placed) return undefined;
  if (placed.length > limits.params) {
    report(value, 'invalid_param', `a DAG may have ${limits.params} parameters at most`);
  }
  return withoutRepeats(placed.slice(0, limits.params), value);
};

function readForms(value: YamlValue): readonly PlacedParam[] | undefined {
  switch (kindOf(value)) {
    case 'list':
      return itemsOf(value).flatMap(readItem);
    case 'map':
      return isSchemaForm(value) ? reportSchemaForm(value) : entriesOf(value).flatMap(readMapEntry);
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

function readMapEntry({ key, spot, value }: YamlEntry): readonly PlacedParam[] {
  if (!paramNamePattern.test(key)) {
    value.context.report.add('invalid_param', spot, invalidParamName(key));
    return [];
  }
  const text = kindOf(value) === 'null' ? '' : readText(value);
  return text === undefined ? [] : [{ definition: fromWord({ name: key, value: text }), spot }];
}

function fromWord({ name, value }: ParamWord): ParamDef {
  return { ...(name === undefined ? {} : { name }), type: 'string', default: value, required: false };
}

function isSchemaForm(value: YamlValue): boolean {
  const entries = new Map(entriesOf(value).map((entry) => [entry.key, entry.value]));
  const properties = entries.get('properties');
  const type = entries.get('type');
  return (
    entries.has('schema') ||
    (properties !== undefined && kindOf(properties) === 'map' && type !== undefined && textOf(type) === 'object')
  );
}

function reportSchemaForm(value: YamlValue): readonly PlacedParam[] {
  report(
    value,
    'unsupported_value',
    'params as a JSON Schema is not supported by this version; use a list of entries with name and type',
  );
  return [];
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
