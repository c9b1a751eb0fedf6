/** Names a run, or one of its child runs. */
export interface RunAddress {
  /** DAG and id of the root run. */
  readonly name: string;
  readonly runId: string;
  /** Id of the child run, of any depth. */
  readonly sub?: string | undefined;
}

/** Returns a key that is equal for equal addresses. */
export function runKey({ name, runId, sub = '' }: RunAddress): string {
  return `${name}/${runId}/${sub}`;
}
