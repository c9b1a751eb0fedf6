import type { WorkerLabels } from '@weir/workflow-engine';
import type { DeadLetter } from './dead-letter';
import type { QueuePause, QueueReads } from './queue-reads';

/** A run that waits for a slot, or that holds one when `claimedBy` is given. */
export interface NewQueueItem {
  readonly runId: string;
  readonly queueName: string;
  /** When it was enqueued. */
  readonly at: Date;
  /** Earliest time of a claim. Default: at once. */
  readonly availableAt?: Date | undefined;
  /** One point counts like one minute of waiting. */
  readonly priority: number;
  readonly claimedBy: string | null;
  /** The current fencing token of the run. */
  readonly token: number;
  /** Whether it needs no free slot. */
  readonly isUnlimited: boolean;
  /** The labels that its worker must have; see `selectorText`. */
  readonly selector: string;
  /** The workspaces of a queue take turns. */
  readonly workspace: string | null;
}

export interface ClaimRequest {
  readonly owner: string;
  /** Only runs whose selector they match. */
  readonly labels: WorkerLabels;
  readonly at: Date;
  /** `queue`: runs that wait for a slot. `expired`: runs whose owner let its lease expire. */
  readonly from: 'queue' | 'expired';
  /** Key of a root run: only that run and those below it, even if their queues are full, and whatever their selectors. */
  readonly within?: string | undefined;
}

/** A claimed run. What its owner stores is refused as soon as another owner claims the run. */
export interface QueueClaim {
  readonly runId: string;
  /** The fencing token; higher than that of every earlier claim. */
  readonly token: number;
  /** Its workers failed too often: the owner ends it as failed, and executes nothing of it. */
  readonly givenUp?: Pick<DeadLetter, 'reason' | 'failures'>;
}

/** How often the workers of a run may fail before it is given up, unless it is configured. */
export const defaultMaxFailures = 10;

export interface QueueDepth {
  readonly waiting: number;
  /** Slots in use. */
  readonly claimed: number;
}

export interface QueueControls {
  /**
   * Until the queue is resumed, no run is claimed that waits for a slot of it. A queue that is paused already stays as
   * it is. False when it was.
   */
  pause(queueName: string, pause: QueuePause): Promise<boolean>;
  /** False when it was not paused. */
  resume(queueName: string): Promise<boolean>;
  /**
   * Puts a run before or behind all of its workspace that wait in its queue now; runs that need no slot stay before all others. False
   * when it does not wait.
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
  /** A run that is in its queue already waits from the start again. */
  enqueue(transaction: Transaction, item: NewQueueItem): Promise<void>;
  /**
   * Gives the first claimable run to the owner and makes it running. The queue whose first run ranks first is next; of
   * its workspaces the one with the fewest slots of it, then the one that was given a slot the longest ago.
   */
  claim(request: ClaimRequest): Promise<QueueClaim | undefined>;
  /** The claims of an owner. */
  listClaims(owner: string): Promise<readonly QueueClaim[]>;
  /** Removes the run and frees its slot. */
  complete(transaction: Transaction, runId: string): Promise<void>;
  /**
   * Releases a run that its owner cannot execute; it can be claimed at `retryAt` or later. False when the claim is not
   * the current one any more.
   */
  fail(claim: QueueClaim & { readonly owner: string }, retryAt: Date): Promise<boolean>;
  /** Of one queue, or of all queues. */
  depth(queueName?: string): Promise<QueueDepth>;
  /** The number of slots of these queues. Every other queue has one slot. */
  setLimits(limits: ReadonlyMap<string, number>): Promise<void>;
  /** Calls the listener when this process made a run claimable, or another one did while this one watches. */
  subscribe(listener: () => void): () => void;
  /** Until the returned function is called, other processes are watched where they can notify this one. */
  watch(): Promise<() => Promise<void>>;
  /** Calls the listeners. */
  announce(): void;
}

const minuteMs = 60_000;
const centuryMs = 100 * 365 * 24 * 60 * minuteMs;
/** Before it are the ranks of items that need no slot, and no others. */
export const firstLimitedRank = new Date(Date.UTC(2000, 0, 1));

/**
 * The sort key of the runs of a workspace in a queue. All items age alike, so it never has to be rewritten. Items that need no slot come first, so
 * that no claim has to search for them behind those that do.
 */
export function toRank({ at, availableAt = at, priority, isUnlimited }: Omit<NewQueueItem, 'runId'>): Date {
  const since = Math.max(at.getTime(), availableAt.getTime());
  return new Date(since - priority * minuteMs - (isUnlimited ? centuryMs : 0));
}
