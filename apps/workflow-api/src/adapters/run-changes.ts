import type { RunEvent, RunStatus } from '@weir/workflow-engine/model';

type DecisionEvent = Extract<RunEvent, { readonly by: string; readonly step: unknown }>;

/** A person's decision about a step. */
export interface StepDecided extends Pick<DecisionEvent, 'kind' | 'by'> {
  readonly step: string;
}

/** A run that this process has changed, or some run of another process. */
export interface RunChange {
  readonly runId: string;
  /** The status that the run got. */
  readonly status?: RunStatus | undefined;
  readonly decision?: StepDecided | undefined;
}

/** A queue that a person has changed through this process. */
export interface QueueChange {
  readonly queue: string;
  readonly kind: 'paused' | 'resumed' | 'reordered';
  /** Name of the person. */
  readonly by: string;
}
