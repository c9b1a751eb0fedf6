import Ajv from 'ajv';
import type { JsonObject, JsonValue } from '../model/json';
import { linearPattern } from './linear-pattern';

/**
 * Why a value does not fit a JSON Schema of draft 07 that the reader of DAGs has taken; nothing when it fits. The text
 * names the place and the rule, never the value. A schema whose references multiply takes very long: give it a thread.
 */
export function jsonSchemaProblem(schema: JsonObject, value: JsonValue): string | undefined {
  // The dialect was checked when the file was read; `$async` would make every value fit.
  const rules = Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$async'));
  try {
    const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, code: { regExp: linearPattern } });
    const validate = ajv.compile(rules);
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath ?? ''} ${error?.message ?? 'does not fit'}`.trim().slice(0, 300);
  } catch (error) {
    // A reference that leads to itself, or what only a compiler sees.
    return error instanceof RangeError ? 'the schema refers to itself without an end' : 'the schema cannot be used';
  }
}
