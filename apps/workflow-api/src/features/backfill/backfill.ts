export const backfillStatuses = ['active', 'finished', 'cancelled', 'failed'] as const;
export type BackfillStatus = (typeof backfillStatuses)[number];

/** Runs for occurrences of the past that a person asked for. */
export interface Backfill {
  readonly id: string;
  readonly fileName: string;
  readonly dagName: string;
  readonly workspace: string | null;
  readonly status: BackfillStatus;
  /** Why it failed. */
  readonly error: string | null;
  readonly author: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly from: Date;
  readonly to: Date;
  /** Most runs of it that are queued or executed at a time. */
  readonly maxActive: number;
  readonly params: string | null;
  /** The earliest first. */
  readonly occurrences: readonly Date[];
  /** How many of them are settled. */
  readonly position: number;
  /** Of those, how many it has started, and how many had a run before. */
  readonly started: number;
  readonly existing: number;
}

/** Changes of an active backfill that stands at `position`. */
export type BackfillStep = Partial<
  Pick<Backfill, 'position' | 'started' | 'existing' | 'status' | 'error' | 'endedAt'>
>;

export interface BackfillRepository {
  /** Keeps the newest `keep` of the DAG. False, without a change, while another one of the DAG is active. */
  insert(backfill: Backfill, keep: number): Promise<boolean>;
  find(id: string): Promise<Backfill | undefined>;
  /** Newest first. */
  list(dagName: string): Promise<readonly Backfill[]>;
  listActive(): Promise<readonly Backfill[]>;
  /** False, without a change, when it is no longer active or stands elsewhere by now. */
  advance(backfill: Pick<Backfill, 'id' | 'position'>, step: BackfillStep): Promise<boolean>;
  /** False when it has ended. */
  cancel(id: string, at: Date): Promise<boolean>;
}
