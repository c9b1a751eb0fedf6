import type { Masker } from './masker';
import type { Scope } from '@weir/workflow-spec/values';

/**
 * The scope for strings that are stored with a run, such as the parameters of another run and the items of a
 * loop: secrets from the environment are masked in them, as in outputs.
 */
export function maskScope(scope: Scope, masker: Masker | undefined): Scope {
  if (masker === undefined) return scope;
  return { ...scope, env: new Map([...scope.env].map(([name, value]) => [name, masker.text(value)])) };
}
