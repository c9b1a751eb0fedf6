import { isActiveRun, isRunningRun } from '@weir/workflow-engine';
import { createListeners, toRank, type NewQueueItem, type QueueClaim, type QueueDriver } from '../../queue';
import { createInMemoryDagRunRepository } from './in-memory-dag-run-repository';
import { createRunTables, type RunTables } from './in-memory-run-tables';
import type { DagRunRepository } from './dag-run-repository';

export interface InMemoryRunStore {
  readonly runs: DagRunRepository;
  readonly queue: QueueDriver<undefined>;
}

export interface InMemoryQueueOptions {
  /** Whether an owner is still heard of. Default: nobody else is. */
  readonly isAlive?: (owner: string) => boolean;
}

/** For specs: the runs and their queues. Held to the same contract suites as those in a database. */
export function createInMemoryRunStore({ isAlive = () => false }: InMemoryQueueOptions = {}): InMemoryRunStore {
  const { subscribe, announce } = createListeners();
  const tables = createRunTables(announce);
  const { items } = tables;
  const limits = new Map<string, number>();
  return {
    runs: createInMemoryDagRunRepository(tables),
    queue: {
      subscribe,
      announce,
      enqueue: (_, item) => Promise.resolve(void items.set(item.runId, item)),
      complete: (_, runId) => Promise.resolve(void items.delete(runId)),
      claim: ({ owner, at, from, within }) => {
        const isWithin = ({ runId }: NewQueueItem): boolean =>
          runId === within || tables.runs.get(runId)?.rootId === within;
        const mayBe = (item: NewQueueItem): boolean =>
          within === undefined ? mayBegin(items, limits, item, at) : item.claimedBy === null && isWithin(item);
        const found =
          from === 'queue'
            ? firstOf([...items.values()].filter(mayBe))
            : firstOf([...items.values()].filter((item) => isLost(item, owner, isAlive)));
        return Promise.resolve(found && take(tables, found, { owner, at }));
      },
      listClaims: (owner) => Promise.resolve([...items.values()].filter(({ claimedBy }) => claimedBy === owner)),
      fail: ({ runId, token, owner }, availableAt) => {
        const item = items.get(runId);
        const run = tables.runs.get(runId);
        const isHeld = item?.claimedBy === owner && item.token === token && run !== undefined;
        if (!isHeld || !isRunningRun(run.status)) return Promise.resolve(false);
        items.set(runId, { ...item, claimedBy: null, availableAt });
        tables.runs.set(runId, { ...run, ownerId: null });
        return Promise.resolve(true);
      },
      cancel: (_, runId) => Promise.resolve(items.get(runId)?.claimedBy === null && items.delete(runId)),
      depth: (queueName) => {
        const found = [...items.values()].filter((item) => queueName === undefined || item.queueName === queueName);
        const waiting = found.filter(({ claimedBy }) => claimedBy === null).length;
        return Promise.resolve({ waiting, claimed: found.length - waiting });
      },
      setLimits: (given) => {
        limits.clear();
        for (const [name, limit] of given) limits.set(name, limit);
        return Promise.resolve();
      },
    },
  };
}

function firstOf(found: readonly NewQueueItem[]): NewQueueItem | undefined {
  return found.toSorted((left, right) => toRank(left).getTime() - toRank(right).getTime())[0];
}

function mayBegin(
  items: RunTables['items'],
  limits: ReadonlyMap<string, number>,
  { claimedBy, availableAt, isUnlimited, queueName }: NewQueueItem,
  at: Date,
): boolean {
  if (claimedBy !== null || (availableAt !== undefined && availableAt > at)) return false;
  const taken = [...items.values()].filter((item) => item.queueName === queueName && item.claimedBy !== null);
  return isUnlimited || taken.length < (limits.get(queueName) ?? 1);
}

function isLost({ claimedBy }: NewQueueItem, owner: string, isAlive: (owner: string) => boolean): boolean {
  return claimedBy !== null && claimedBy !== owner && !isAlive(claimedBy);
}

function take(
  { runs, items }: RunTables,
  item: NewQueueItem,
  { owner, at }: { readonly owner: string; readonly at: Date },
): QueueClaim | undefined {
  const run = runs.get(item.runId);
  if (run === undefined || !isActiveRun(run.status)) return undefined;
  const token = run.fencingToken + 1;
  const startedAt = run.startedAt ?? at;
  runs.set(run.id, { ...run, status: 'running', ownerId: owner, startedAt, fencingToken: token });
  items.set(run.id, { ...item, claimedBy: owner, token });
  return { runId: run.id, token };
}
