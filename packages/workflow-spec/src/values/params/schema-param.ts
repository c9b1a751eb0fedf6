import type { JsonObject } from '../../model/json';
import type { ParamDef } from '../../model/param';
import { compact } from '../../model/compact';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { limitEntries } from '../../shapes/limit-entries';
import { keySpec, objectKind, objectSchema } from '../../shapes/object-kind';
import { readObject, type Fields } from '../../shapes/read-object';
import { readText, reportWrongKind, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { anyJson, anyMap, boolean, enumShape, text, textList } from '../../shapes/shapes';
import {
  getEntries,
  getItems,
  getKind,
  report,
  getText,
  type YamlEntry,
  type YamlValue,
} from '../../source/yaml/yaml-value';
import { invalidParamName, paramNamePattern } from './param-words';
import { paramRuleKeys, readParamRules } from './rich-param';

const { min_length: minLength, max_length: maxLength, ...sameKeys } = paramRuleKeys;
const remark = keySpec('Annotation, has no effect', anyJson);
const rule = 'a JSON Schema keyword that parameters do not support';
const remarks = { $comment: remark, examples: remark, deprecated: remark, readOnly: remark, writeOnly: remark };
const rules = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];
const unsupported = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, rule]));

const propertyKind = objectKind({
  title: 'property',
  keys: { ...sameKeys, minLength, maxLength, title: keySpec('Short description', text), format: remark, ...remarks },
  unsupported: unsupported([...rules, 'const', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'properties']),
});

const readProperties: Reader<readonly YamlEntry[]> = (value) => {
  const bound = { limit: limits.params, code: 'invalid_param', what: 'params' } as const;
  return getKind(value) === 'map' ? limitEntries(getEntries(value), value, bound) : reportWrongKind(value, 'a map');
};

const schemaKind = objectKind({
  title: 'schema of the parameters',
  keys: {
    type: keySpec('The parameters are the properties of an object', enumShape('object'), { required: true }),
    properties: keySpec(
      'The parameters',
      shape(readProperties, (book) => ({
        type: 'object',
        propertyNames: { pattern: paramNamePattern.source },
        additionalProperties: objectSchema(propertyKind, book),
        maxProperties: limits.params,
      })),
    ),
    required: keySpec('Names of the required parameters', textList),
    additionalProperties: keySpec('Whether undeclared parameters are accepted; default true', boolean),
    $schema: remark,
    $id: remark,
    title: remark,
    description: remark,
    $defs: remark,
    definitions: remark,
    ...remarks,
  },
  unsupported: unsupported([...rules, 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties']),
});

export interface ParamSchema {
  readonly params: readonly ParamDef[];
  readonly schema: JsonObject;
}

const readSchema: Reader<ParamSchema> = (value) => {
  const fields = readObject(value, schemaKind)?.fields;
  const schema = fields && anyMap.read(value);
  if (!schema) return undefined;
  const required = requiredNames(fields.required?.source);
  const params = (fields.properties?.value ?? []).flatMap((entry) => readProperty(entry, required));
  return { params: [...params, ...readUndescribed(fields, required, params)], schema };
};

/** Properties of a JSON Schema of type object. */
export const paramSchema = shape(readSchema, (book) => objectSchema(schemaKind, book));

/** Whether a map is a JSON Schema rather than a map from names to defaults. */
export function isParamSchema(value: YamlValue): boolean {
  const entries = new Map(getEntries(value).map((entry) => [entry.key, entry.value]));
  const properties = entries.get('properties');
  const type = entries.get('type');
  return properties !== undefined && getKind(properties) === 'map' && type !== undefined && getText(type) === 'object';
}

/** Whether other names are errors of the file that uses the schema. */
export function isClosed(schema: JsonObject): boolean {
  return schema.additionalProperties === false;
}

/** Whether a start may give other names, which a schema must permit explicitly. */
export function isOpen(schema: JsonObject): boolean {
  const { additionalProperties = false } = schema;
  return additionalProperties !== false;
}

function readProperty(
  { key, location, value }: YamlEntry,
  required: ReadonlyMap<string, YamlValue>,
): readonly ParamDef[] {
  if (!paramNamePattern.test(key)) value.context.report.add('invalid_param', location, invalidParamName(key));
  if (!isScalarProperty(key, value)) return [];
  const fields = readObject(value, propertyKind)?.fields;
  if (!fields || !paramNamePattern.test(key)) return [];
  const { minLength: shortest, maxLength: longest, title, ...same } = fields;
  const spelled = { ...same, ...compact({ min_length: shortest, max_length: longest }) };
  const described = spelled.description ?? title;
  const read = readParamRules({ ...spelled, ...compact({ description: described }) }, key);
  return [{ name: key, required: required.has(key), ...read }];
}

/** Parameters are scalars; other types are not supported. */
function isScalarProperty(key: string, value: YamlValue): boolean {
  const type = getEntries(value).find((entry) => entry.key === 'type')?.value;
  const name = type && getText(type);
  if (type === undefined || (name !== 'object' && name !== 'array' && name !== 'null')) return true;
  const message = `parameter ${quote(key)} of type ${name} is not supported: it must be a string, integer, number or boolean`;
  report(type, 'unsupported_value', message);
  return false;
}

function requiredNames(source: YamlValue | undefined): ReadonlyMap<string, YamlValue> {
  return new Map((source ? getItems(source) : []).map((item) => [getText(item) ?? '', item]));
}

/** Required names that are not described; a closed schema could never be satisfied with one. */
function readUndescribed(
  fields: Fields<typeof schemaKind.keys>,
  required: ReadonlyMap<string, YamlValue>,
  params: readonly ParamDef[],
): readonly ParamDef[] {
  const known = new Set((fields.properties?.value ?? []).map(({ key }) => key));
  const isFull = params.length + required.size > limits.params;
  return [...required].flatMap(([name, source]) => {
    if (known.has(name)) return [];
    if (fields.additionalProperties?.value === false || isFull) {
      report(source, 'invalid_param', `parameter ${quote(name)} is required, but is not one of the properties`);
    } else if (!paramNamePattern.test(name)) report(source, 'invalid_param', invalidParamName(readText(source) ?? ''));
    else return [{ name, type: 'string', required: true } as const];
    return [];
  });
}
