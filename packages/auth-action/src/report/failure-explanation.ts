import type { ActionsRuntime } from '../runner/actions-runtime';
import type { CloudSettings } from '../inputs/cloud-settings';
import type { Settings } from '../inputs/settings';
import type { FixBlock } from './fix-block';

export interface FailureContext {
  readonly env: ActionsRuntime['env'];
  /** `undefined` if the inputs are invalid. */
  readonly settings: Settings | undefined;
  readonly clouds?: CloudSettings | undefined;
  /** The token of the last exchange, if any. */
  readonly oidcToken: string | undefined;
}

/** The known facts about a failure, without secrets. */
export interface FailureExplanation {
  readonly message: string;
  readonly cause: string | undefined;
  readonly nextStep: string | undefined;
  readonly hints: readonly string[];
  readonly fixes: readonly FixBlock[];
}
