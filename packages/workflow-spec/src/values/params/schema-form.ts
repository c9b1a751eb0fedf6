import type { ParamDef, ParamSchemaSource } from '../../model/param';
import { compact } from '../../model/compact';
import { quote } from '../../source/text/quote';
import { keySpec, objectKind, objectSchema } from '../../shapes/object-kind';
import { readObject } from '../../shapes/read-object';
import { readNonEmptyText, readText, reportWrongKind, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { getEntries, getKind, type YamlEntry, type YamlValue } from '../../source/yaml/yaml-value';
import { invalidParamName, paramNamePattern } from './param-words';
import { readDefault } from './rich-param';
import { isClosed, paramSchema } from './schema-param';

/** The parameters of a DAG and the source of their schema, if any. */
export interface ReadParams {
  readonly params: readonly ParamDef[];
  readonly paramSchema?: ParamSchemaSource;
}

const scalar = ['string', 'number', 'boolean', 'null'];

const readValues: Reader<readonly YamlEntry[]> = (value) =>
  getKind(value) === 'map' ? getEntries(value) : reportWrongKind(value, 'a map');

/** The keys `schema`, and `values`, which replace its defaults. */
export const schemaFormKind = objectKind({
  title: 'params',
  keys: {
    schema: keySpec(
      'JSON Schema of the parameters: inline, or the path or URL of a file that is loaded when a run starts',
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

/** Whether the map has `schema` and at most `values`, rather than being a map from names to defaults. */
export function isSchemaForm(value: YamlValue): boolean {
  const keys = getEntries(value).map(({ key }) => key);
  return keys.includes('schema') && keys.every((key) => schemaFormKind.spellings.has(key));
}

export const readSchemaForm: Reader<ReadParams> = (value) => {
  const fields = readObject(value, schemaFormKind)?.fields;
  const source = fields?.schema?.value;
  if (!source) return undefined;
  const values = (fields.values?.value ?? []).filter(hasParamName);
  if (getKind(source) !== 'map') {
    const params = values.flatMap((entry) => plainParam(entry));
    const pathOrUrl = readNonEmptyText(source);
    return pathOrUrl === undefined ? { params } : { params, paramSchema: toSchemaSource(pathOrUrl) };
  }
  const read = paramSchema.read(source);
  if (!read) return undefined;
  const named = new Map(values.map((entry) => [entry.key, entry]));
  const params = read.params.map((param) => overrideDefault(param, named.get(param.name ?? '')));
  const known = new Set(read.params.map(({ name }) => name));
  const others = values.filter(({ key }) => !known.has(key));
  for (const { key, location } of isClosed(read.schema) ? others : []) {
    value.context.report.add('invalid_param', location, `parameter ${quote(key)} is not defined in the schema`);
  }
  return {
    params: [...params, ...others.flatMap((entry) => plainParam(entry))],
    paramSchema: { kind: 'inline', schema: read.schema },
  };
};

export const schemaForm = shape(readSchemaForm, (book) => objectSchema(schemaFormKind, book));

export function plainParam({ key, value }: YamlEntry): readonly ParamDef[] {
  const text = getKind(value) === 'null' ? '' : readText(value);
  return text === undefined ? [] : [{ name: key, type: 'string', default: text, required: false }];
}

export function hasParamName({ key, location, value }: YamlEntry): boolean {
  if (paramNamePattern.test(key)) return true;
  value.context.report.add('invalid_param', location, invalidParamName(key));
  return false;
}

function toSchemaSource(pathOrUrl: string): ParamSchemaSource {
  return /^https?:\/\//i.test(pathOrUrl) ? { kind: 'url', url: pathOrUrl } : { kind: 'file', path: pathOrUrl };
}

function overrideDefault(param: ParamDef, entry: YamlEntry | undefined): ParamDef {
  if (!entry) return param;
  const text = getKind(entry.value) === 'null' ? '' : readText(entry.value);
  const preset = { value: text, source: entry.value, keyLocation: entry.location };
  return { ...param, ...compact({ default: readDefault(preset, param, quote(entry.key)) }) };
}
