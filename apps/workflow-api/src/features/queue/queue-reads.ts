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
}

export interface QueueEntryQuery {
  /** Default: every queue. */
  readonly queueName?: string | undefined;
  readonly isClaimed: boolean;
  readonly workspaces: QueueWorkspaces;
  /** Only entries after this one. */
  readonly after?: Pick<QueueEntry, 'rankAt' | 'runId'> | undefined;
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

export interface QueueReads {
  /** The queues that hold runs of these workspaces, by name. */
  listQueues(workspaces: QueueWorkspaces): Promise<readonly QueueUse[]>;
  /** In the order in which the runs are claimed. */
  listEntries(query: QueueEntryQuery): Promise<readonly QueueEntry[]>;
  /** How many runs of its queue are claimed before this one that waits. */
  countWaitingBefore(entry: Pick<QueueEntry, 'queueName' | 'rankAt' | 'runId'>): Promise<number>;
  /** Nothing for a run that is in no queue. */
  findEntry(runId: string): Promise<QueueEntry | undefined>;
  /** The number of slots of the queues that have a configured one. */
  readLimits(): Promise<ReadonlyMap<string, number>>;
  /** The paused queues. */
  readPauses(): Promise<ReadonlyMap<string, QueuePause>>;
}
