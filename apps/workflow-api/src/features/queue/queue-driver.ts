/** A run that waits for a place, or that has one already when `claimedBy` is given. */
export interface NewQueueItem {
  readonly runId: string;
  readonly queueName: string;
  /** When it was put in. */
  readonly at: Date;
  /** When it may be claimed; at once when left out. */
  readonly availableAt?: Date | undefined;
  /** Worth a minute of waiting each. */
  readonly priority: number;
  readonly claimedBy: string | null;
  /** The last one that the run had. */
  readonly token: number;
  /** Whether it takes its place without asking how many are taken. */
  readonly isUnlimited: boolean;
}

export interface ClaimRequest {
  readonly owner: string;
  readonly at: Date;
  /** What waits for a place, or what an owner holds that is lost. */
  readonly from: 'queue' | 'lost';
  /** Key of a run of depth 0: only that one and those below it, however full their queues are. */
  readonly within?: string | undefined;
}

/** A place in a queue. What its holder stores is refused as soon as somebody else claims the run. */
export interface QueueClaim {
  readonly runId: string;
  /** Higher than that of every claim before. */
  readonly token: number;
}

export interface QueueDepth {
  readonly waiting: number;
  /** Places that are taken. */
  readonly claimed: number;
}

/**
 * The queues of runs. A run is in its queue from when it is stored until it ends or waits for a person, and holds a
 * place of it while it is claimed. `Transaction` is the unit of work that also stores what else changes about the run.
 *
 * The lease of a claim is its owner's heartbeat: an owner that is not heard of has lost what it holds.
 */
export interface QueueDriver<Transaction> {
  /** Puts a run in; one that is in already waits anew. */
  enqueue(transaction: Transaction, item: NewQueueItem): Promise<void>;
  /** Gives the first run in order that may begin to one owner, and makes it running. */
  claim(request: ClaimRequest): Promise<QueueClaim | undefined>;
  /** What an owner holds. */
  listClaims(owner: string): Promise<readonly QueueClaim[]>;
  /** Takes the run out and frees its place. */
  complete(transaction: Transaction, runId: string): Promise<void>;
  /**
   * Gives a run back that its owner cannot carry out, to be claimed at this time or later. False when the claim does
   * not hold any more.
   */
  fail(claim: QueueClaim & { readonly owner: string }, retryAt: Date): Promise<boolean>;
  /** Of one queue, or of all. */
  depth(queueName?: string): Promise<QueueDepth>;
  /** How many runs of each of these queues may be under way at once. Every other queue has one place. */
  setLimits(limits: ReadonlyMap<string, number>): Promise<void>;
  /** Tells this process of what may have become claimable here; what others do is found by looking. */
  subscribe(listener: () => void): () => void;
  /** Tells the listeners. */
  announce(): void;
}

const minuteMs = 60_000;
const centuryMs = 100 * 365 * 24 * 60 * minuteMs;

/**
 * The static key of the order. Ageing needs no rewriting of what waits, because all of it ages alike; what waits for
 * no place comes first of all, so that nobody looks for it behind what does.
 */
export function toRank({ at, availableAt = at, priority, isUnlimited }: Omit<NewQueueItem, 'runId'>): Date {
  const since = Math.max(at.getTime(), availableAt.getTime());
  return new Date(since - priority * minuteMs - (isUnlimited ? centuryMs : 0));
}

export function createListeners(): Pick<QueueDriver<never>, 'subscribe' | 'announce'> {
  const listeners = new Set<() => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce: () => {
      for (const listener of listeners) listener();
    },
  };
}
