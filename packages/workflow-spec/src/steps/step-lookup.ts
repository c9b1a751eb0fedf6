import { quote } from '../text/quote';
import { didYouMean } from '../text/suggest';
import { report, getText, type YamlValue } from '../yaml/yaml-value';
import type { Upstream } from './upstream';

/** Finds the steps that other parts of a step name. */
export interface StepLookup {
  /** The step's own name. */
  readonly self: string;
  /** The name of the step that the value names or has as its ID; reports a step that is not there. */
  find(value: YamlValue, what: string): string | undefined;
  /** Whether the step waits for the one of this name, directly or not. */
  isUpstream(name: string): boolean;
}

export function createStepLookup(self: string, handles: ReadonlyMap<string, string>, upstream: Upstream): StepLookup {
  return {
    self,
    isUpstream: (name) => upstream(self, name),
    find: (value, what) => {
      const wanted = getText(value)?.trim();
      const found = wanted === undefined ? undefined : handles.get(wanted);
      if (found !== undefined || wanted === undefined) return found;
      const near = value.context.suggest(wanted, handles.keys());
      const message = `${what} names the non-existent step ${quote(wanted)}${didYouMean(near)}`;
      report(value, 'unknown_step', message);
      return undefined;
    },
  };
}
