/** A run that was given up because its workers failed too often. */
export interface DeadLetter {
  readonly runId: string;
  readonly queueName: string;
  /** The last failure: its worker was lost, or returned it because it could not execute it. */
  readonly reason: 'worker_lost' | 'not_executed';
  /** The number of failures since a step of it last passed. */
  readonly failures: number;
  readonly at: Date;
}
