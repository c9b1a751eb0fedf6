import type { Condition, RepeatPolicy } from '../../model/policies';
import { compact } from '../../model/compact';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape, type Fields } from '../../shapes/read-object';
import { namedShape } from '../../shapes/shape';
import { boolean, count, either, nonEmptyText, enumShape, orQuotedNumber, orReference } from '../../shapes/shapes';
import { getKind } from '../../source/yaml/yaml-value';
import { exitCodes } from './exit-codes';
import { growthKeys, readGrowth, seconds } from './intervals';
import { expectedText } from './expected-text';
import { reportMissingKey, reportCommandAsText, reportWithoutEffect } from './policy-findings';

const repeatKind = objectKind({
  title: 'repeat_policy',
  keys: {
    repeat: keySpec(
      'while: repeats as long as the check holds; until: stops once it holds; true: repeats while the step succeeds',
      either((value) => getKind(value) === 'boolean', boolean, enumShape('while', 'until')),
    ),
    interval_sec: keySpec('Seconds before the next iteration', orReference(orQuotedNumber(seconds))),
    limit: keySpec('Maximum number of iterations; 0 is no limit', orReference(orQuotedNumber(count))),
    backoff: growthKeys.backoff,
    max_interval_sec: keySpec('Maximum wait in seconds', orReference(orQuotedNumber(seconds))),
    condition: keySpec('A command that must succeed or, with expected, a string', nonEmptyText),
    expected: keySpec('The expected string, or re: and a regular expression', expectedText),
    exit_code: keySpec('The check holds when the step exits with one of these codes', exitCodes),
  },
  rules: {
    anyOf: [
      { properties: { repeat: { type: ['boolean', 'null'] } } },
      ...['condition', 'exit_code', 'exitCode'].map((key) => ({ required: [key] })),
    ],
  },
});

type RepeatFields = Fields<typeof repeatKind.keys>;

/** The choice to repeat or not; not repeating overrides the policy of `defaults`. */
export interface RepeatChoice {
  readonly policy?: RepeatPolicy;
}

export const repeatChoice = namedShape(
  'RepeatPolicy',
  objectShape(repeatKind, (fields, value): RepeatChoice | undefined => {
    const { repeat, condition, expected, exit_code: codes } = fields;
    const growth = readGrowth(fields, fields.interval_sec?.value ?? 0);
    if (repeat?.value === false) return {};
    if (expected && !condition) return reportMissingKey(expected.source, 'condition is required with expected');
    // The finding is reported; without the unreadable field the policy would be a different one.
    if (Object.values(fields).some((field) => field.value === undefined)) return undefined;
    if (condition && expected) reportCommandAsText(condition, 'without expected, the condition is a command');
    const check = readCheck(fields);
    if (!check && typeof repeat?.value === 'string') {
      return reportMissingKey(repeat.source, `repeat mode '${repeat.value}' requires condition or exit_code`);
    }
    if (!check && !repeat) {
      reportWithoutEffect(value, 'it has none of repeat, condition and exit_code');
      return {};
    }
    if (codes && condition) reportWithoutEffect(codes.source, 'the condition alone decides');
    return {
      policy: {
        mode: chooseMode(fields),
        intervalSec: fields.interval_sec?.value ?? 0,
        ...compact({ limit: fields.limit?.value === 0 ? undefined : fields.limit?.value }),
        ...growth,
        ...check,
      },
    };
  }),
);

/** An expected string ends the repetition; a command or exit code alone continues it. */
function chooseMode({ repeat, expected }: RepeatFields): RepeatPolicy['mode'] {
  if (typeof repeat?.value === 'string') return repeat.value;
  return expected && !repeat ? 'until' : 'while';
}

function readCheck(fields: RepeatFields): Pick<RepeatPolicy, 'condition' | 'exitCodes'> | undefined {
  const text = fields.condition?.value;
  if (text !== undefined) return { condition: toCondition(text, fields.expected?.value) };
  const codes = fields.exit_code?.value ?? [];
  return codes.length === 0 ? undefined : { exitCodes: codes };
}

function toCondition(text: string, expected: string | undefined): Condition {
  if (expected === undefined) return { kind: 'command', command: text, negate: false };
  return { kind: 'text', text, expected, negate: false };
}
