import type { WorkerLabels } from '@weir/workflow-engine/model';
import type { DeadLetter } from './dead-letter';
import type { QueuePause, QueueReads } from './queue-reads';

/** A run that waits for a slot, or that holds one when `claimedBy` is given. */
export interface NewQueueItem {
  readonly runId: string;
  readonly queueName: string;
  /** The time when the run was enqueued. */
  readonly at: Date;
  /** Earliest time of a claim. Default: at once. */
  readonly availableAt?: Date | undefined;
  /** One point counts like one minute of waiting. */
  readonly priority: number;
  readonly claimedBy: string | null;
  /** The current fencing token of the run. */
  readonly token: number;
  /** Whether the run needs no free slot. */
  readonly isUnlimited: boolean;
  /** The labels that its worker must have; see `selectorText`. */
  readonly selector: string;
  /** The workspaces of a queue take turns. */
  readonly workspace: string | null;
}

export interface ClaimRequest {
  readonly owner: string;
  /** Only runs whose selector these labels match. */
  readonly labels: WorkerLabels;
  readonly at: Date;
  /** `queue` selects runs that wait for a slot, and `expired` those whose owner let its lease expire. */
  readonly from: 'queue' | 'expired';
  /**
   * Key of a root run: only that run and its descendants may be claimed, even if their queues are full, and with any
   * selectors.
   */
  readonly within?: string | undefined;
}

/** A claimed run. Writes of its owner are refused as soon as another owner claims the run. */
export interface QueueClaim {
  readonly runId: string;
  /** The fencing token; higher than that of every earlier claim. */
  readonly token: number;
  /** Given when its workers failed too often: the owner ends the run as failed, and executes nothing of it. */
  readonly givenUp?: Pick<DeadLetter, 'reason' | 'failures'>;
}

/** By default, a run is given up after this many failures of its workers. */
export const defaultMaxFailures = 10;

export interface QueueDepth {
  readonly waiting: number;
  /** Slots in use. */
  readonly claimed: number;
}

export interface QueueControls {
  /**
   * Until the queue is resumed, no run that waits for a slot of it is claimed. Returns false, without a change, when
   * the queue is already paused.
   */
  pause(queueName: string, pause: QueuePause): Promise<boolean>;
  /** Returns false when the queue was not paused. */
  resume(queueName: string): Promise<boolean>;
  /**
   * Moves a run before or behind all runs of its workspace that wait in its queue now; runs that need no slot stay
   * before all others. Returns false when the run does not wait.
   */
  move(runId: string, to: 'first' | 'last'): Promise<boolean>;
}

/**
 * The queues of runs. A run is in its queue from its start until it ends or waits for a person, and holds a slot while
 * it is claimed. `Transaction` is the unit of work that also stores the other changes of the run.
 *
 * The heartbeat of an owner renews the leases of its claims.
 */
export interface QueueDriver<Transaction> extends QueueReads, QueueControls {
  /** A run that is already in its queue waits from the start again. */
  enqueue(transaction: Transaction, item: NewQueueItem): Promise<void>;
  /**
   * Gives the first claimable run to the owner and makes it running. The queue whose first run ranks first is next;
   * of its workspaces the one with the fewest slots of it, then the one that got its last slot the longest ago.
   */
  claim(request: ClaimRequest): Promise<QueueClaim | undefined>;
  /** Lists the claims of an owner. */
  listClaims(owner: string): Promise<readonly QueueClaim[]>;
  /** Removes the run and frees its slot. */
  complete(transaction: Transaction, runId: string): Promise<void>;
  /**
   * Releases a run that its owner cannot execute; it can be claimed at `retryAt` or later. Returns false when the
   * claim is no longer the current one.
   */
  fail(claim: QueueClaim & { readonly owner: string }, retryAt: Date): Promise<boolean>;
  /** Counts the runs of one queue, or of all queues. */
  depth(queueName?: string): Promise<QueueDepth>;
  /** Sets the number of slots of these queues. Every other queue has one slot. */
  setLimits(limits: ReadonlyMap<string, number>): Promise<void>;
  /** Calls the listener when this process made a run claimable, or, during a watch, when another process did. */
  subscribe(listener: () => void): () => void;
  /** Until the returned function is called, other processes can notify this one, where the database supports that. */
  watch(): Promise<() => Promise<void>>;
  /** Calls the listeners. */
  announce(): void;
}

const minuteMs = 60_000;
const centuryMs = 100 * 365 * 24 * 60 * minuteMs;
/** Only items that need no slot have ranks before this time. */
export const firstLimitedRank = new Date(Date.UTC(2000, 0, 1));

/**
 * Returns the sort key of a run among those of its workspace in a queue. All items age alike, so the key never has to
 * be rewritten. Items that need no slot come first, so that no claim has to search for them behind the others.
 */
export function toRank({ at, availableAt = at, priority, isUnlimited }: Omit<NewQueueItem, 'runId'>): Date {
  const since = Math.max(at.getTime(), availableAt.getTime());
  return new Date(since - priority * minuteMs - (isUnlimited ? centuryMs : 0));
}
