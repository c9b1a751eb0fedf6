import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject } from '../../model/json';
import { limits } from '../../model/limits';
import type { Reader } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { anyMap } from '../../shapes/shapes';
import { getEntries, getKind, report, getText, type YamlValue } from '../../source/yaml/yaml-value';
import { checkSchemaParts } from './check-schema-parts';
import { findAtPointer } from '../../source/yaml/find-at-pointer';
import { quote } from '../../source/text/quote';

const readJsonSchema: Reader<JsonObject> = (value) => {
  const schema = anyMap.read(value);
  if (!schema) return undefined;
  if (JSON.stringify(schema).length > limits.inlineSchemaLength) {
    const message = `the JSON Schema is longer than ${limits.inlineSchemaLength} characters`;
    report(value, 'invalid_json_schema', message);
    return undefined;
  }
  if (!isKnownDialect(value)) return undefined;
  const problem = findSchemaProblem(schema);
  if (!problem) {
    checkSchemaParts(value, schema);
    return schema;
  }
  const invalidPart = findAtPointer(value, problem.pointer) ?? value;
  if (getKind(invalidPart) !== 'broken') {
    report(invalidPart, 'invalid_json_schema', `this is not a valid JSON Schema: ${problem.message}`);
  }
  return undefined;
};

/** A JSON Schema of draft 07 in the file itself. Once read it is usable: it has no external references and compiles. */
export const inlineJsonSchema = namedShape('InlineJsonSchema', shape(readJsonSchema, { type: 'object' }));

function isKnownDialect(value: YamlValue): boolean {
  const named = getEntries(value).find(({ key }) => key === '$schema')?.value;
  if (
    !named ||
    getText(named)
      ?.replace(/#?$/, '#')
      .replace(/^https:/, 'http:') === dialect
  )
    return true;
  if (getKind(named) !== 'broken') {
    report(named, 'invalid_json_schema', `the JSON Schema must use draft 07: ${dialect}`);
  }
  return false;
}

const dialect = 'http://json-schema.org/draft-07/schema#';

/** The first error of a JSON Schema and the JSON pointer to it. */
interface SchemaProblem {
  readonly pointer: string;
  readonly message: string;
}

let validate: ValidateFunction | undefined;

/** Validates a schema against the meta-schema of draft 07. */
function findSchemaProblem(schema: unknown): SchemaProblem | undefined {
  // The meta-schema is compiled on first use: that takes longer than all validations that follow.
  validate ??= new Ajv({ strict: false, validateFormats: false }).getSchema(dialect);
  if (!validate) throw new Error('Ajv contains the meta-schema of draft 07.');
  if (validate(schema)) return undefined;
  const [error] = validate.errors ?? [];
  return error && { pointer: error.instancePath, message: describeError(error) };
}

function describeError({ keyword, message = 'is wrong', params }: ErrorObject): string {
  // Ajv types the parameters of an error as a record of anything.
  const { allowedValues } = params as { readonly allowedValues?: readonly unknown[] };
  if (keyword !== 'enum' || !allowedValues) return message;
  return `must be one of: ${allowedValues.map((value) => (typeof value === 'string' ? value : quote(JSON.stringify(value)))).join(', ')}`;
}
