import { limits } from '../limits';
import { report, type YamlValue } from '../yaml/yaml-value';

/** What all calls of custom actions in one document may cost together. */
export interface Budget {
  /** False when it is used up; the first call that it does not suffice for is reported. */
  spend(cost: number, call: YamlValue): boolean;
}

export function createBudget(): Budget {
  let remaining: number = limits.customActionCost;
  let isReported = false;
  return {
    spend: (cost, call) => {
      remaining -= cost;
      if (remaining >= 0) return true;
      if (!isReported) {
        report(call, 'text_too_complex', 'the calls of custom actions make more than one document may hold');
      }
      isReported = true;
      return false;
    },
  };
}
