import type { StepDefaults } from '../../model/step-defaults';

/** Environment and preconditions of `base` come before those of `own`; for every other key `own` wins. */
export function mergeStepDefaults(
  base: StepDefaults | undefined,
  own: StepDefaults | undefined,
): { readonly defaults?: StepDefaults } {
  if (!base || !own) {
    const defaults = own ?? base;
    return defaults ? { defaults } : {};
  }
  return {
    defaults: {
      ...base,
      ...own,
      ...(base.env && own.env && { env: [...base.env, ...own.env] }),
      ...(base.preconditions && own.preconditions && { preconditions: [...base.preconditions, ...own.preconditions] }),
    },
  };
}
