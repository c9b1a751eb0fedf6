import type { JsonObject } from '@weir/workflow-spec';

/** What a caller that has no file of a DAG needs to know to start it. */
export interface CallableDag {
  readonly description: string;
  /** JSON Schema of its parameters, an object. */
  readonly parameters: JsonObject;
}

/** The end of a run that an action has started. */
export interface CalledRun {
  readonly dagRunId: string;
  readonly status: string;
  /** What its steps published, by name. */
  readonly outputs: JsonObject;
}

/** The DAGs that an action may start as child runs of its step, as `dag.run` could. */
export interface CallableDags {
  /** Throws what `dag.run` fails with for a DAG that it cannot start. */
  describe(name: string): Promise<CallableDag>;
  /**
   * Returns the run once it has ended. `params` are those of `dag.run`. An action that executes again finds
   * the runs that it started before; equal calls are runs of their own.
   */
  run(name: string, params: string, signal: AbortSignal): Promise<CalledRun>;
}
