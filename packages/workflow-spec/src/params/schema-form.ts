import type { ParamDef, ParamSchemaSource } from '../canonical/param';
import { compact } from '../compact';
import { quote } from '../quote';
import { keySpec, objectKind, objectSchema } from '../read/object-kind';
import { readObject } from '../read/read-object';
import { readFilledText, readText, wrongKind, type Reader } from '../read/readers';
import { shape } from '../read/shape';
import { entriesOf, kindOf, type YamlEntry, type YamlValue } from '../yaml/yaml-value';
import { invalidParamName, paramNamePattern } from './param-words';
import { readPreset } from './rich-param';
import { isClosed, paramSchema } from './schema-param';

/** The parameters of a DAG, and where their schema is when they have one. */
export interface ReadParams {
  readonly params: readonly ParamDef[];
  readonly paramSchema?: ParamSchemaSource;
}

const scalar = ['string', 'number', 'boolean', 'null'];

const readValues: Reader<readonly YamlEntry[]> = (value) =>
  kindOf(value) === 'map' ? entriesOf(value) : wrongKind(value, 'a map');

/** `schema` and the values that stand for its defaults. */
export const schemaFormKind = objectKind({
  title: 'params',
  keys: {
    schema: keySpec(
      'JSON Schema of the parameters: itself, or the path or address of a file that is read when a run starts',
      shape(
        (value) => value,
        (book) => ({ anyOf: [{ type: ['string', 'number', 'boolean'], minLength: 1 }, paramSchema.schema(book)] }),
      ),
      { required: true },
    ),
    values: keySpec(
      'Defaults of the parameters',
      shape(readValues, { type: 'object', additionalProperties: { type: scalar } }),
    ),
  },
});

/** Whether the map is `schema` with or without `values`, and not a map from names to defaults. */
export function isSchemaForm(value: YamlValue): boolean {
  const keys = entriesOf(value).map(({ key }) => key);
  return keys.includes('schema') && keys.every((key) => schemaFormKind.spellings.has(key));
}

export const readSchemaForm: Reader<ReadParams> = (value) => {
  const fields = readObject(value, schemaFormKind)?.fields;
  const source = fields?.schema?.value;
  if (!source) return undefined;
  const values = (fields.values?.value ?? []).filter(hasParamName);
  if (kindOf(source) !== 'map') {
    const params = values.flatMap((entry) => plainParam(entry));
    const place = readFilledText(source);
    return place === undefined ? { params } : { params, paramSchema: sourceOf(place) };
  }
  const read = paramSchema.read(source);
  if (!read) return undefined;
  const named = new Map(values.map((entry) => [entry.key, entry]));
  const params = read.params.map((param) => withValue(param, named.get(param.name ?? '')));
  const known = new Set(read.params.map(({ name }) => name));
  const others = values.filter(({ key }) => !known.has(key));
  for (const { key, spot } of isClosed(read.schema) ? others : []) {
    value.context.report.add('invalid_param', spot, `parameter ${quote(key)} is not one of the schema`);
  }
  return {
    params: [...params, ...others.flatMap((entry) => plainParam(entry))],
    paramSchema: { kind: 'inline', schema: read.schema },
  };
};

export const schemaForm = shape(readSchemaForm, (book) => objectSchema(schemaFormKind, book));

/** A name with its default, and no rules. */
export function plainParam({ key, value }: YamlEntry): readonly ParamDef[] {
  const text = kindOf(value) === 'null' ? '' : readText(value);
  return text === undefined ? [] : [{ name: key, type: 'string', default: text, required: false }];
}

export function hasParamName({ key, spot, value }: YamlEntry): boolean {
  if (paramNamePattern.test(key)) return true;
  value.context.report.add('invalid_param', spot, invalidParamName(key));
  return false;
}

function sourceOf(place: string): ParamSchemaSource {
  return /^https?:\/\//i.test(place) ? { kind: 'url', url: place } : { kind: 'file', path: place };
}

function withValue(param: ParamDef, entry: YamlEntry | undefined): ParamDef {
  if (!entry) return param;
  const text = kindOf(entry.value) === 'null' ? '' : readText(entry.value);
  const preset = { value: text, source: entry.value, key: entry.spot };
  return { ...param, ...compact({ default: readPreset(preset, param, quote(entry.key)) }) };
}
