import type { StepDefaults } from '../../model/step-defaults';
import type { CustomAction } from '../../steps/custom-actions/custom-action';
import type { DagSettings, DagType } from '../../model/dag';

/**
 * The settings a DAG inherits where it has none of its own, without defaults applied. Plain data that can be sent to
 * another thread.
 */
export interface BaseConfig {
  readonly settings: Partial<DagSettings>;
  readonly type?: DagType;
  /** Inherited by each step. */
  readonly defaults?: StepDefaults;
  /** Actions that the steps of every DAG may call. */
  readonly customActions?: readonly CustomAction[];
}
