import type { StepDefaults } from '../model/step-defaults';

/** The step defaults of both: environment and conditions of the base first, then those of `own`; the rest by key. */
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
