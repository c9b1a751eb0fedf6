import type { Condition } from '../../model/policies';
import { limits } from '../../model/limits';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { transformShape, namedShape } from '../../shapes/shape';
import { boolean, either, oneOrMany, stringText } from '../../shapes/shapes';
import { getKind } from '../../source/yaml/yaml-value';
import { expectedText } from './expected-text';
import { reportMissingKey, reportField, reportCommandAsText } from './policy-findings';

// A key without a value counts as missing.
const filled = { not: { type: 'null' } };

const conditionKind = objectKind({
  title: 'precondition',
  keys: {
    condition: keySpec('A command that must succeed or, with expected, a string', stringText, {
      aliases: ['command'],
    }),
    eval: keySpec('A string with command substitution, compared with expected', stringText),
    expected: keySpec('The expected string, or re: and a regular expression', expectedText),
    negate: keySpec('Inverts the condition', boolean),
  },
  rules: {
    anyOf: [{ required: ['condition'] }, { required: ['command'] }, { required: ['eval', 'expected'] }],
    not: { required: ['condition', 'eval'], properties: { condition: filled, eval: filled } },
  },
});

const conditionMap = objectShape(conditionKind, (fields, value): Condition | undefined => {
  const { condition, eval: evaluated, expected } = fields;
  const negate = fields.negate?.value ?? false;
  if (condition && evaluated) {
    return reportField(evaluated.source, 'conflicting_keys', 'only one of condition or eval may be given');
  }
  if (!condition && !evaluated) return reportMissingKey(value, 'condition or eval is required');
  if (evaluated && !expected) return reportMissingKey(evaluated.source, 'expected is required with eval');
  if (condition && expected) {
    const rename = { title: 'Rename "condition" to "eval"', text: 'eval', range: condition.keyLocation.range };
    reportCommandAsText(condition, 'use eval', rename);
  }
  const text = (condition ?? evaluated)?.value;
  if (text === undefined || (expected && expected.value === undefined)) return undefined;
  if (expected?.value === undefined) return { kind: 'command', command: text, negate };
  return { kind: condition ? 'text' : 'eval', text, expected: expected.value, negate };
});

const commandAlone = transformShape(stringText, (command): Condition => ({
  kind: 'command',
  command,
  negate: false,
}));
const bound = { limit: limits.conditions, code: 'invalid_value', what: 'preconditions' } as const;

export const conditions = namedShape(
  'Preconditions',
  oneOrMany(
    either((value) => getKind(value) === 'map', conditionMap, commandAlone),
    bound,
  ),
);
