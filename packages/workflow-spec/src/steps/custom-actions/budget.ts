import { limits } from '../../model/limits';
import { report, type YamlValue } from '../../source/yaml/yaml-value';

/** The combined cost of all calls of custom actions in one document. */
export interface Budget {
  /** Returns false once the budget is exhausted, and reports the first call that exceeds it. */
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
        report(call, 'text_too_complex', 'the calls of custom actions expand to more than one document may contain');
      }
      isReported = true;
      return false;
    },
  };
}
