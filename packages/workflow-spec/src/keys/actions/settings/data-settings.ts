import type { JsonObject } from '../../../model/json';
import { limits } from '../../../model/limits';
import { outputNamePattern, outputNameProblem } from '../../../values/outputs/output-name';
import { readText } from '../../../shapes/readers';
import { shape } from '../../../shapes/shape';
import { anyJson, reportInvalid, recordShape } from '../../../shapes/shapes';
import { getEntries, report } from '../../../source/yaml/yaml-value';

const referencePattern = /^\$\{[^{}]+\}$/;

/** A string that is exactly one reference. */
export const oneReference = shape<string>(
  (value) => {
    const found = readText(value);
    if (value.context.isResolved === true) return found;
    if (found === undefined || referencePattern.test(found.trim())) return found?.trim();
    return reportInvalid(value, 'must be one reference such as ${steps.load.outputs.page}');
  },
  { type: 'string', pattern: '^\\s*\\$\\{[^{}]+\\}\\s*$' },
);

const anyValues = recordShape(anyJson, { limit: limits.outputs, code: 'invalid_value', what: 'values' });

/** Outputs by name; at least one. */
export const outputValues = shape<JsonObject>(
  (value) => {
    const values = anyValues.read(value);
    if (!values) return undefined;
    const entries = getEntries(value);
    if (entries.length === 0) report(value, 'invalid_value', 'values must name at least one output');
    for (const { key, location } of entries) {
      const problem = outputNameProblem(key);
      if (problem !== undefined) value.context.report.add('invalid_output_name', location, problem);
    }
    return values;
  },
  (book) => ({
    ...anyValues.schema(book),
    minProperties: 1,
    propertyNames: { pattern: outputNamePattern.source },
  }),
);
