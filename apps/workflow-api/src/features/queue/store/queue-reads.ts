import type { DeadLetter } from './dead-letter';

export interface QueueUse {
  readonly name: string;
  readonly waiting: number;
  /** Slots in use. */
  readonly claimed: number;
}

export interface QueueEntry {
  readonly runId: string;
  readonly queueName: string;
  /** The sort key of a queue. */
  readonly rankAt: Date;
  /** Earliest time of a claim. */
  readonly availableAt: Date;
  readonly claimedBy: string | null;
  /** Whether the run needs no free slot. */
  readonly isUnlimited: boolean;
  /** The workspace of the run; empty without one. */
  readonly workspace: string;
}

export interface HoldersQuery {
  /** Default: every queue. */
  readonly queueName?: string | undefined;
  readonly workspaces: QueueWorkspaces;
  readonly limit: number;
}

export interface WaitingQuery {
  readonly queueName: string;
  readonly workspaces: QueueWorkspaces;
  /** Only entries after this one, which may have been claimed meanwhile. */
  readonly after?: Omit<QueueEntry, 'availableAt' | 'claimedBy'> | undefined;
  readonly limit: number;
}

/** The workspaces of the runs that count. */
export interface QueueWorkspaces {
  readonly unassigned: boolean;
  readonly named: 'all' | readonly string[];
}

/** The time of a pause, and the person who paused the queue. */
export interface QueuePause {
  readonly pausedAt: Date;
  readonly pausedBy: string;
}

export interface DeadLetterQuery {
  /** Default: every queue. */
  readonly queueName?: string | undefined;
  readonly workspaces: QueueWorkspaces;
  readonly limit: number;
}

export interface QueueReads {
  /** Lists the newest first. */
  listDeadLetters(query: DeadLetterQuery): Promise<readonly DeadLetter[]>;
  /** Lists the queues that hold runs of these workspaces, by name. */
  listQueues(workspaces: QueueWorkspaces): Promise<readonly QueueUse[]>;
  /** Lists the runs that hold slots, by their ranks. */
  listHolders(query: HoldersQuery): Promise<readonly QueueEntry[]>;
  /** Lists the runs in the order of their claims if none ends meanwhile. */
  listWaiting(query: WaitingQuery): Promise<readonly QueueEntry[]>;
  /** Counts the runs of the queue that are claimed before this waiting one. */
  countWaitingBefore(entry: Omit<QueueEntry, 'availableAt' | 'claimedBy'>): Promise<number>;
  /** Returns `undefined` for a run that is in no queue. */
  findEntry(runId: string): Promise<QueueEntry | undefined>;
  /** Returns the number of slots of the queues with a configured limit. */
  readLimits(): Promise<ReadonlyMap<string, number>>;
  /** Returns the paused queues. */
  readPauses(): Promise<ReadonlyMap<string, QueuePause>>;
}
