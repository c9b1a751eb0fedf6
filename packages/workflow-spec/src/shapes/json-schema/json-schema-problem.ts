import Ajv from 'ajv';
import type { JsonObject, JsonValue } from '../../model/json';
import { linearPattern } from './linear-pattern';

/**
 * Explains why a value does not match a draft 07 JSON Schema that was accepted in a DAG file; undefined when it
 * matches. The message names the path and the rule, never the value. Schemas with many references can take very long:
 * validate in a worker thread.
 */
export function jsonSchemaProblem(schema: JsonObject, value: JsonValue): string | undefined {
  // The dialect was checked when the file was read; `$async` would accept every value.
  const rules = Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$async'));
  try {
    const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, code: { regExp: linearPattern } });
    const validate = ajv.compile(rules);
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath ?? ''} ${error?.message ?? 'does not fit'}`.trim().slice(0, 300);
  } catch (error) {
    // The schema refers to itself, or has an error that only the compiler finds.
    return error instanceof RangeError ? 'the schema refers to itself endlessly' : 'the schema cannot be used';
  }
}
