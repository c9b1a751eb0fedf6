import { matchesSelector, nodeStatus, ownerTransition, transition } from '@weir/workflow-engine/model';
import { createListeners, type Listeners } from '../../adapters/listeners';
import type { RunChange } from '../../adapters/run-changes';
import {
  defaultMaxFailures,
  toTakeOver,
  type LostRun,
  type NewQueueItem,
  type QueueClaim,
  type QueueDriver,
  type QueuePause,
} from './store';
import { createQueueControls } from './in-memory-queue-controls';
import { createQueueReads, rankOf, shareOf } from './in-memory-queue-reads';
import { createInMemoryDagRunRepository } from '../runs/store/in-memory-dag-run-repository';
import { commitRun, loadRun, storeAttempts } from '../runs/store/in-memory-run-storage';
import { createRunTables, type RunTables, type StoredQueueItem } from '../runs/store/in-memory-run-tables';
import type { DagRunRepository } from '../runs/store/dag-run-repository';

export interface InMemoryRunStore {
  readonly runs: DagRunRepository;
  readonly queue: QueueDriver<undefined>;
  /** Notified of each change of a run after it was stored. */
  readonly runChanges: Listeners<RunChange>;
}

export interface InMemoryQueueOptions {
  /** Whether the lease of an owner is valid. Default: no other owner has a valid lease. */
  readonly isAlive?: (owner: string) => boolean;
  readonly maxFailures?: number;
}

/** Creates the runs and their queues for specs. They pass the same contract specs as those in a database. */
export function createInMemoryRunStore({
  isAlive = () => false,
  maxFailures = defaultMaxFailures,
}: InMemoryQueueOptions = {}): InMemoryRunStore {
  const { subscribe, announce } = createListeners();
  const tables = createRunTables(announce);
  const { items, runChanges } = tables;
  const limits = new Map<string, number>();
  const pauses = new Map<string, QueuePause>();
  return {
    runs: createInMemoryDagRunRepository(tables),
    runChanges,
    queue: {
      subscribe,
      announce,
      watch: () => Promise.resolve(() => Promise.resolve()),
      ...createQueueReads(tables, limits, pauses),
      ...createQueueControls(tables, pauses),
      enqueue: (_, item) => Promise.resolve(void items.set(item.runId, item)),
      complete: (_, runId) => Promise.resolve(void items.delete(runId)),
      claim: ({ owner, at, from, within, labels }) => {
        const isWithin = ({ runId }: NewQueueItem): boolean =>
          runId === within || tables.runs.get(runId)?.rootId === within;
        const isClaimable = (item: NewQueueItem): boolean =>
          within === undefined
            ? isWaiting(item, at) &&
              matchesSelector(item.selector, labels) &&
              (item.isUnlimited || hasFreeSlot({ items, limits, pauses }, item))
            : item.claimedBy === null && isWithin(item);
        const claimable =
          from === 'queue'
            ? isClaimable
            : (item: NewQueueItem): boolean =>
                isExpired(item, owner, isAlive) && matchesSelector(item.selector, labels);
        return tables.exclusively(() => {
          const found = [...items.values()].filter(claimable);
          const isFair = from === 'queue' && within === undefined;
          const first = findFirst(isFair ? firstOfQueues(tables, found) : found);
          return Promise.resolve(first && claim(tables, first, { owner, at, isFair, maxFailures }));
        });
      },
      listClaims: (owner) => Promise.resolve([...items.values()].filter(({ claimedBy }) => claimedBy === owner)),
      fail: (claim, availableAt) => tables.exclusively(() => Promise.resolve(returnRun(tables, claim, availableAt))),
      depth: (queueName) => {
        const inQueue = [...items.values()].filter((item) => queueName === undefined || item.queueName === queueName);
        const waiting = inQueue.filter(({ claimedBy }) => claimedBy === null).length;
        return Promise.resolve({ waiting, claimed: inQueue.length - waiting });
      },
      setLimits: (given) => {
        limits.clear();
        for (const [name, limit] of given) limits.set(name, limit);
        return Promise.resolve();
      },
    },
  };
}

function returnRun(
  tables: RunTables,
  { runId, token, owner }: QueueClaim & { readonly owner: string },
  availableAt: Date,
): boolean {
  const item = tables.items.get(runId);
  const lease = { ownerId: owner, token };
  if (item === undefined || !commitRun(tables, runId, ownerTransition({ kind: 'released', lease }))) return false;
  tables.items.set(runId, { ...item, claimedBy: null, availableAt, failures: (item.failures ?? 0) + 1 });
  tables.runChanges.announce({ runId });
  return true;
}

function findFirst(items: readonly StoredQueueItem[]): StoredQueueItem | undefined {
  return items.toSorted((left, right) => rankOf(left).getTime() - rankOf(right).getTime())[0];
}

/**
 * Returns the first run of each queue: the workspace with the fewest slots is next, then the one that got its last
 * slot the longest ago.
 */
function firstOfQueues(
  { items, served }: RunTables,
  claimable: readonly StoredQueueItem[],
): readonly StoredQueueItem[] {
  const toKeys = (item: StoredQueueItem): readonly number[] => [
    item.isUnlimited ? 0 : 1,
    [...items.values()].filter((one) => one.claimedBy !== null && shareOf(one) === shareOf(item)).length,
    served.get(shareOf(item)) ?? 0,
    rankOf(item).getTime(),
  ];
  const names = [...new Set(claimable.map(({ queueName }) => queueName))];
  return names.flatMap((name) => {
    const ordered = claimable
      .filter(({ queueName }) => queueName === name)
      .toSorted((left, right) => {
        const ofRight = toKeys(right);
        return (
          toKeys(left)
            .map((key, index) => key - (ofRight[index] ?? 0))
            .find((each) => each !== 0) ?? 0
        );
      });
    return ordered.slice(0, 1);
  });
}

function isWaiting({ claimedBy, availableAt }: NewQueueItem, at: Date): boolean {
  return claimedBy === null && (availableAt === undefined || availableAt <= at);
}

interface QueueTables extends Pick<RunTables, 'items'> {
  readonly limits: ReadonlyMap<string, number>;
  readonly pauses: ReadonlyMap<string, QueuePause>;
}

function hasFreeSlot({ items, limits, pauses }: QueueTables, { queueName }: NewQueueItem): boolean {
  const claimed = [...items.values()].filter((item) => item.queueName === queueName && item.claimedBy !== null);
  return !pauses.has(queueName) && claimed.length < (limits.get(queueName) ?? 1);
}

function isExpired({ claimedBy }: NewQueueItem, owner: string, isAlive: (owner: string) => boolean): boolean {
  return claimedBy !== null && claimedBy !== owner && !isAlive(claimedBy);
}

interface ClaimOptions {
  readonly owner: string;
  readonly at: Date;
  readonly isFair: boolean;
  readonly maxFailures: number;
}

function claim(tables: RunTables, item: StoredQueueItem, options: ClaimOptions): QueueClaim | undefined {
  const { runId, claimedBy } = item;
  const { owner, at, isFair } = options;
  const state = loadRun(tables, runId);
  const claimed = state && transition(state, { kind: 'claimed', ownerId: owner, at });
  const run = claimed && commitRun(tables, runId, claimed);
  if (run === undefined) return undefined;
  const lost = state !== undefined && claimedBy !== null ? { ...state, id: runId, claimedBy } : undefined;
  const failures = lost === undefined ? (item.failures ?? 0) : recordTakeOver(tables, { item, lost }, at);
  if (isFair) tables.served.set(shareOf(item), Math.max(0, ...tables.served.values()) + 1);
  const token = run.fencingToken;
  tables.items.set(runId, { ...item, claimedBy: owner, token, failures });
  tables.runChanges.announce({ runId, status: 'running' });
  if (failures < options.maxFailures) return { runId, token };
  const reason = lost === undefined ? 'not_executed' : 'worker_lost';
  tables.deadLetters.set(runId, { runId, queueName: item.queueName, reason, failures, at });
  return { runId, token, givenUp: { reason, failures } };
}

/** Returns how often the workers of the run failed. */
function recordTakeOver(
  tables: RunTables,
  { item, lost }: { readonly item: StoredQueueItem; readonly lost: LostRun },
  at: Date,
): number {
  const steps = (tables.steps.get(lost.id) ?? []).filter(({ scope }) => scope === '');
  const reusedSteps = steps.filter(({ status }) => nodeStatus.isTerminal(status) && nodeStatus.isPassed(status)).length;
  const hasProgressed = reusedSteps > (tables.attempts.get(lost.id)?.at(-1)?.reusedSteps ?? 0);
  storeAttempts(tables, lost.id, toTakeOver(lost, { at, reusedSteps }));
  const before = item.failures ?? 0;
  if (lost.ownerId === null) return before;
  return hasProgressed ? 1 : before + 1;
}
