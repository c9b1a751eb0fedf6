import type { JsonObject } from '../canonical/json';
import { limits } from '../limits';
import type { Reader } from '../read/readers';
import { namedShape, shape } from '../read/shape';
import { anyMap } from '../read/shapes';
import { entriesOf, kindOf, report, textOf, type YamlValue } from '../yaml/yaml-value';
import { checkSchemaParts } from './check-parts';
import { dialect, schemaProblem } from './meta-schema';
import { valueAt } from './value-at';

const readJsonSchema: Reader<JsonObject> = (value) => {
  const schema = anyMap.read(value);
  if (!schema) return undefined;
  if (JSON.stringify(schema).length > limits.inlineSchemaLength) {
    const message = `the JSON Schema is longer than ${limits.inlineSchemaLength} characters`;
    report(value, 'invalid_json_schema', message);
    return undefined;
  }
  if (!isKnownDialect(value)) return undefined;
  const problem = schemaProblem(schema);
  if (!problem) {
    checkSchemaParts(value, schema);
    return schema;
  }
  const place = valueAt(value, problem.pointer) ?? value;
  if (kindOf(place) !== 'broken') {
    report(place, 'invalid_json_schema', `this is not JSON Schema: ${problem.message}`);
  }
  return undefined;
};

/** A JSON Schema of draft 07, written in the file itself. It is sound: it refers to nothing outside, and compiles. */
export const inlineJsonSchema = namedShape('InlineJsonSchema', shape(readJsonSchema, { type: 'object' }));

function isKnownDialect(value: YamlValue): boolean {
  const named = entriesOf(value).find(({ key }) => key === '$schema')?.value;
  if (
    !named ||
    textOf(named)
      ?.replace(/#?$/, '#')
      .replace(/^https:/, 'http:') === dialect
  )
    return true;
  if (kindOf(named) !== 'broken') {
    report(named, 'invalid_json_schema', `the JSON Schema must be of draft 07: ${dialect}`);
  }
  return false;
}
