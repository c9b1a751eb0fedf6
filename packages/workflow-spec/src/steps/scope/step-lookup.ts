import { quote } from '../../source/text/quote';
import { didYouMean } from '../../source/text/suggest';
import { report, getText, type YamlValue } from '../../source/yaml/yaml-value';
import type { Upstream } from './upstream';

export interface StepLookup {
  readonly self: string;
  /** Finds a step by name or ID; reports an unknown one. */
  find(value: YamlValue, what: string): string | undefined;
  /** Whether the current step depends on the named one, directly or transitively. */
  isUpstream(name: string): boolean;
}

export function createStepLookup(
  self: string,
  namesByReference: ReadonlyMap<string, string>,
  upstream: Upstream,
): StepLookup {
  return {
    self,
    isUpstream: (name) => upstream(self, name),
    find: (value, what) => {
      const wanted = getText(value)?.trim();
      const found = wanted === undefined ? undefined : namesByReference.get(wanted);
      if (found !== undefined || wanted === undefined) return found;
      const near = value.context.suggest(wanted, namesByReference.keys());
      const message = `${what} names the non-existent step ${quote(wanted)}${didYouMean(near)}`;
      report(value, 'unknown_step', message);
      return undefined;
    },
  };
}
