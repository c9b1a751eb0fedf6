export const backfillStatuses = ['active', 'finished', 'cancelled', 'failed'] as const;
export type BackfillStatus = (typeof backfillStatuses)[number];

/** Starts runs for past occurrences that a person asked for. */
export interface Backfill {
  readonly id: string;
  readonly fileName: string;
  readonly dagName: string;
  readonly workspace: string | null;
  readonly status: BackfillStatus;
  /** The reason why it failed. */
  readonly error: string | null;
  readonly author: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly from: Date;
  readonly to: Date;
  /** Limits the runs of it that are queued or executed at a time. */
  readonly maxActive: number;
  readonly params: string | null;
  /** The occurrences, the earliest first. */
  readonly occurrences: readonly Date[];
  /** The number of settled occurrences. */
  readonly position: number;
  /** The number of settled occurrences that the backfill has started, and the number of those that had a run before. */
  readonly started: number;
  readonly existing: number;
}

/** The changes of an active backfill whose position is `position`. */
export type BackfillStep = Partial<
  Pick<Backfill, 'position' | 'started' | 'existing' | 'status' | 'error' | 'endedAt'>
>;

export interface BackfillRepository {
  /** Keeps the newest `keep` backfills of the DAG. Returns false, without a change, while another one of the DAG is active. */
  insert(backfill: Backfill, keep: number): Promise<boolean>;
  find(id: string): Promise<Backfill | undefined>;
  /** Lists the newest first. */
  list(dagName: string): Promise<readonly Backfill[]>;
  listActive(): Promise<readonly Backfill[]>;
  /** Returns false, without a change, when it is no longer active or its position has changed. */
  advance(backfill: Pick<Backfill, 'id' | 'position'>, step: BackfillStep): Promise<boolean>;
  /** Returns false when it has ended. */
  cancel(id: string, at: Date): Promise<boolean>;
}
