/** A run that was given up because its workers failed too often. */
export interface DeadLetter {
  readonly runId: string;
  readonly queueName: string;
  /** What happened last: its worker was gone, or returned it because it could not execute it. */
  readonly reason: 'worker_lost' | 'not_executed';
  /** How often, since a step of it passed last. */
  readonly failures: number;
  readonly at: Date;
}
