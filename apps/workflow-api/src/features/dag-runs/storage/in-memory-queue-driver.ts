import { matchesSelector, nodeStatus, ownerTransition, transition } from '@weir/workflow-engine';
import { createListeners } from '../../../listeners';
import {
  toTakeOver,
  type LostRun,
  type NewQueueItem,
  type QueueClaim,
  type QueueDriver,
  type QueuePause,
} from '../../queue';
import { createQueueControls } from './in-memory-queue-controls';
import { createQueueReads, rankOf } from './in-memory-queue-reads';
import { createInMemoryDagRunRepository } from './in-memory-dag-run-repository';
import { commitRun, loadRun, storeAttempts } from './in-memory-run-storage';
import { createRunTables, type RunTables, type StoredQueueItem } from './in-memory-run-tables';
import type { DagRunRepository } from './dag-run-repository';

export interface InMemoryRunStore {
  readonly runs: DagRunRepository;
  readonly queue: QueueDriver<undefined>;
}

export interface InMemoryQueueOptions {
  /** Whether the lease of an owner holds. Default: that of no other owner does. */
  readonly isAlive?: (owner: string) => boolean;
}

/** For specs: the runs and their queues. They pass the same contract specs as those in a database. */
export function createInMemoryRunStore({ isAlive = () => false }: InMemoryQueueOptions = {}): InMemoryRunStore {
  const { subscribe, announce } = createListeners();
  const tables = createRunTables(announce);
  const { items } = tables;
  const limits = new Map<string, number>();
  const pauses = new Map<string, QueuePause>();
  return {
    runs: createInMemoryDagRunRepository(tables),
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
          const first = findFirst([...items.values()].filter(claimable));
          return Promise.resolve(first && claim(tables, first, { owner, at }));
        });
      },
      listClaims: (owner) => Promise.resolve([...items.values()].filter(({ claimedBy }) => claimedBy === owner)),
      fail: ({ runId, token, owner }, availableAt) =>
        tables.exclusively(() => {
          const item = items.get(runId);
          const lease = { ownerId: owner, token };
          if (item === undefined || !commitRun(tables, runId, ownerTransition({ kind: 'released', lease }))) {
            return Promise.resolve(false);
          }
          items.set(runId, { ...item, claimedBy: null, availableAt });
          return Promise.resolve(true);
        }),
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

function findFirst(items: readonly StoredQueueItem[]): StoredQueueItem | undefined {
  return items.toSorted((left, right) => rankOf(left).getTime() - rankOf(right).getTime())[0];
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

function recordTakeOver(tables: RunTables, run: LostRun, at: Date): void {
  const steps = (tables.steps.get(run.id) ?? []).filter(({ scope }) => scope === '');
  const reusedSteps = steps.filter(({ status }) => nodeStatus.isTerminal(status) && nodeStatus.isPassed(status)).length;
  storeAttempts(tables, run.id, toTakeOver(run, { at, reusedSteps }));
}

function claim(
  tables: RunTables,
  item: NewQueueItem,
  { owner, at }: { readonly owner: string; readonly at: Date },
): QueueClaim | undefined {
  const { runId } = item;
  const state = loadRun(tables, runId);
  const { claimedBy } = item;
  const claimed = state && transition(state, { kind: 'claimed', ownerId: owner, at });
  const run = claimed && commitRun(tables, runId, claimed);
  if (run === undefined) return undefined;
  if (state !== undefined && claimedBy !== null) recordTakeOver(tables, { ...state, id: runId, claimedBy }, at);
  const token = run.fencingToken;
  tables.items.set(runId, { ...item, claimedBy: owner, token });
  return { runId, token };
}
