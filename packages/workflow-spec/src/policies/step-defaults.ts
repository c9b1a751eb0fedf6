import type { StepDefaults } from '../canonical/step-defaults';
import { compact } from '../compact';
import { limits } from '../limits';
import { keySpec, objectKind } from '../read/object-kind';
import { objectShape } from '../read/read-object';
import { namedShape } from '../read/shape';
import { invalid } from '../read/shapes';
import { env } from '../values/env';
import { policiesOf, policyKeys } from './policy-keys';

const defaultsKind = objectKind({
  title: 'defaults',
  keys: { ...policyKeys, env: keySpec('Environment put before that of each step', env) },
});

export const stepDefaults = namedShape(
  'StepDefaults',
  objectShape(defaultsKind, (fields, value): StepDefaults | undefined => {
    const defaults: StepDefaults = compact({ ...policiesOf(fields), env: fields.env?.value });
    // Small, since each of thousands of steps repeats them.
    if (JSON.stringify(defaults).length <= limits.stepDefaultsLength) return defaults;
    return invalid(value, `defaults may have ${limits.stepDefaultsLength} characters at most`);
  }),
);
