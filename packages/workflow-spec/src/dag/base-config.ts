import type { StepDefaults } from '../model/step-defaults';
import type { CustomAction } from '../custom-actions/custom-action';
import type { DagSettings, DagType } from '../model/dag';

/**
 * What a DAG takes over where it says nothing itself: the settings of a base configuration, without any default
 * filled in. Plain data, which may be handed to another thread.
 */
export interface BaseConfig {
  readonly settings: Partial<DagSettings>;
  readonly type?: DagType;
  /** What each step takes over where it says nothing itself. */
  readonly defaults?: StepDefaults;
  /** Actions that the steps of each DAG may call. */
  readonly customActions?: readonly CustomAction[];
}
