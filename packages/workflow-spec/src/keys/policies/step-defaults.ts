import type { StepDefaults } from '../../model/step-defaults';
import { compact } from '../../model/compact';
import { limits } from '../../model/limits';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { namedShape } from '../../shapes/shape';
import { reportInvalid } from '../../shapes/shapes';
import { concurrent } from '../loops/items';
import { env } from '../../values/environment/env';
import { readPolicies, policyKeys } from './policy-keys';

const defaultsKind = objectKind({
  title: 'defaults',
  keys: {
    ...policyKeys,
    env: keySpec('Environment of every step, before its own', env),
    max_concurrent: keySpec(
      'Child runs of parallel, or iterations of foreach, at the same time; 10 by default',
      concurrent,
    ),
  },
});

export const stepDefaults = namedShape(
  'StepDefaults',
  objectShape(defaultsKind, (fields, value): StepDefaults | undefined => {
    const defaults: StepDefaults = compact({
      ...readPolicies(fields),
      env: fields.env?.value,
      maxConcurrent: fields.max_concurrent?.value,
    });
    // The defaults must be small, because each of thousands of steps copies them.
    if (JSON.stringify(defaults).length <= limits.stepDefaultsLength) return defaults;
    return reportInvalid(value, `defaults may have ${limits.stepDefaultsLength} characters at most`);
  }),
);
