export const actorKinds = [
  'user',
  'api_key',
  'job',
  'anyone',
  'command',
  'schedule',
  'backfill',
  'run',
  'webhook',
  'file',
] as const;

/** The person or thing that started a run. */
export interface RunActor {
  /**
   * `user` and `api_key` by the API; `job` by the OIDC token of a CI job; `anyone` where sign-in is disabled; `command` by the command line on the machine;
   * `run` by a step of another run.
   */
  readonly kind: (typeof actorKinds)[number];
  /**
   * Of the user or the API key; of the user of the machine; of the person who asked for the backfill; of the DAG of the
   * run. Missing for a schedule and for anyone.
   */
  readonly name?: string | undefined;
  /** The id of the user, the API key, the job, the backfill, or the run as callers see it. */
  readonly id?: string | undefined;
}
