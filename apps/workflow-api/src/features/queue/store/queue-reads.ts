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
  /** Whether it needs no free slot. */
  readonly isUnlimited: boolean;
  /** Of the run; empty without one. */
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
  /** Only entries after this one, which may have been claimed since. */
  readonly after?: Omit<QueueEntry, 'availableAt' | 'claimedBy'> | undefined;
  readonly limit: number;
}

/** The workspaces of the runs that count. */
export interface QueueWorkspaces {
  readonly unassigned: boolean;
  readonly named: 'all' | readonly string[];
}

/** Since when a queue is paused, and by whom. */
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
  /** The newest first. */
  listDeadLetters(query: DeadLetterQuery): Promise<readonly DeadLetter[]>;
  /** The queues that hold runs of these workspaces, by name. */
  listQueues(workspaces: QueueWorkspaces): Promise<readonly QueueUse[]>;
  /** The runs that hold slots, by their ranks. */
  listHolders(query: HoldersQuery): Promise<readonly QueueEntry[]>;
  /** In the order in which the runs are claimed if none ends meanwhile. */
  listWaiting(query: WaitingQuery): Promise<readonly QueueEntry[]>;
  /** How many runs of its queue are claimed before this one that waits. */
  countWaitingBefore(entry: Omit<QueueEntry, 'availableAt' | 'claimedBy'>): Promise<number>;
  /** Nothing for a run that is in no queue. */
  findEntry(runId: string): Promise<QueueEntry | undefined>;
  /** The number of slots of the queues that have a configured one. */
  readLimits(): Promise<ReadonlyMap<string, number>>;
  /** The paused queues. */
  readPauses(): Promise<ReadonlyMap<string, QueuePause>>;
}
