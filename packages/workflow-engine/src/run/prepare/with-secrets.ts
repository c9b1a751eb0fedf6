import { createMasker } from '../../values/masking/masker';
import type { RunValues } from '../../values/run-values/run-values';

/**
 * The values of a run with its secrets: last in the environment, and in nothing that is stored. `alsoHidden` are
 * secrets that the environment has already.
 */
export function withSecrets(
  values: RunValues,
  secrets: ReadonlyMap<string, string>,
  alsoHidden: readonly string[] = [],
): RunValues {
  const masker = createMasker([...secrets.values(), ...alsoHidden]);
  return {
    ...values,
    env: { ...values.env, ...Object.fromEntries(secrets) },
    scope: { ...values.scope, env: new Map([...values.scope.env, ...secrets]) },
    ...(masker === undefined ? {} : { masker }),
  };
}
