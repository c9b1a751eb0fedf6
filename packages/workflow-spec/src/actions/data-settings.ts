import type { JsonObject, JsonValue } from '../canonical/json';
import { limits } from '../limits';
import { outputNamePattern, outputNameProblem } from '../outputs/output-name';
import { readText } from '../read/readers';
import { shape } from '../read/shape';
import { anyJson, invalid, mapOf } from '../read/shapes';
import { entriesOf, report } from '../yaml/yaml-value';

const referencePattern = /^\$\{[^{}]+\}$/;

/** Exactly one reference, and nothing around it. */
export const oneReference = shape<string>(
  (value) => {
    const found = readText(value);
    if (value.context.isResolved === true) return found;
    if (found === undefined || referencePattern.test(found.trim())) return found?.trim();
    return invalid(value, 'must be one reference such as ${steps.load.outputs.page}');
  },
  { type: 'string', pattern: '^\\s*\\$\\{[^{}]+\\}\\s*$' },
);

const anyValues = mapOf<JsonValue>(anyJson, { limit: limits.outputs, code: 'invalid_value', what: 'values' });

/** Outputs by name; at least one. */
export const outputValues = shape<JsonObject>(
  (value) => {
    const values = anyValues.read(value);
    if (!values) return undefined;
    const entries = entriesOf(value);
    if (entries.length === 0) report(value, 'invalid_value', 'values must name at least one output');
    for (const { key, spot } of entries) {
      const problem = outputNameProblem(key);
      if (problem !== undefined) value.context.report.add('invalid_output_name', spot, problem);
    }
    return values;
  },
  (book) => ({
    ...anyValues.schema(book),
    minProperties: 1,
    propertyNames: { pattern: outputNamePattern.source },
  }),
);
