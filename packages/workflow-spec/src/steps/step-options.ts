import type { StepDefaults } from '../model/step-defaults';
import type { DagType } from '../model/dag';
import type { Step } from '../model/step';
import type { YamlValue } from '../yaml/yaml-value';
import type { CustomActions } from '../custom-actions/custom-action';

/** What the reading of a step has to know of its DAG. */
export interface StepOptions {
  readonly type: DagType;
  /** Reads the body of a loop. Handed in, since a step may contain steps. */
  readonly readStepList: (value: YamlValue, options: StepOptions) => readonly Step[];
  /** Missing for a step in the list of a DAG that may run by itself; `child` is a local DAG. */
  readonly scope?: 'handler' | 'foreach' | 'child';
  /** What a step has that gives none of its own. */
  readonly defaults?: StepDefaults;
  /** Whether the whole run goes to a worker. */
  readonly isDispatched?: boolean;
  /** Actions of the DAG's own, by name. */
  readonly customActions?: CustomActions;
}
