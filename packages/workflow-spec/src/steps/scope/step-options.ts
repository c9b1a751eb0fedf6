import type { ActionLocks } from '../../keys/actions/action-lock';
import type { DagHarnesses } from '../../model/harness';
import type { JsonObject } from '../../model/json';
import type { StepDefaults } from '../../model/step-defaults';
import type { DagType } from '../../model/dag';
import type { Step } from '../../model/step';
import type { YamlValue } from '../../source/yaml/yaml-value';
import type { CustomActions } from '../custom-actions/custom-action';

export interface StepOptions {
  readonly type: DagType;
  /** Reads the body of a loop. The function is injected, because steps are recursive. */
  readonly readStepList: (value: YamlValue, options: StepOptions) => readonly Step[];
  /** Missing for a step of the DAG itself. */
  readonly scope?: 'handler' | 'foreach' | 'agent';
  /** Settings of every step that gives none of its own. */
  readonly defaults?: StepDefaults;
  /** Whether the whole run is dispatched to a worker. */
  readonly isDispatched?: boolean;
  /** Whether the DAG has a container for its steps. */
  readonly isInContainer?: boolean;
  readonly actionLocks?: ActionLocks;
  /** The harnesses of the DAG, and its defaults for them. */
  readonly harnesses?: DagHarnesses;
  /** The `llm` of the DAG: settings of chat steps that give none of their own. */
  readonly llm?: JsonObject | undefined;
  /** The custom actions by name. */
  readonly customActions?: CustomActions;
}
