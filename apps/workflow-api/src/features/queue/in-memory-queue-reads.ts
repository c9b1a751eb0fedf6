import { toRank, type QueueEntry, type QueuePause, type QueueReads } from './store';
import { compareTexts, type RunTables, type StoredQueueItem } from '../runs/store/in-memory-run-tables';

type Workspaces = Parameters<QueueReads['listQueues']>[0];
type Position = Parameters<QueueReads['countWaitingBefore']>[0];

export function createQueueReads(
  { items, served, deadLetters, runs }: Pick<RunTables, 'items' | 'served' | 'deadLetters' | 'runs'>,
  limits: ReadonlyMap<string, number>,
  pauses: ReadonlyMap<string, QueuePause>,
): QueueReads {
  const all = (): readonly QueueEntry[] => [...items.values()].map(toEntry);
  const visible = (workspaces: Workspaces): readonly QueueEntry[] =>
    all().filter(({ workspace }) => isVisible(workspaces, workspace));
  const inOrder = (left: Position, right: Position): number => compareFairly({ entries: all(), served }, left, right);
  return {
    listQueues: (workspaces) => {
      const entries = visible(workspaces);
      const names = [...new Set(entries.map(({ queueName }) => queueName))].toSorted(compareTexts);
      return Promise.resolve(
        names.map((name) => {
          const inQueue = entries.filter(({ queueName }) => queueName === name);
          const claimed = inQueue.filter(({ claimedBy }) => claimedBy !== null).length;
          return { name, waiting: inQueue.length - claimed, claimed };
        }),
      );
    },
    listDeadLetters: ({ queueName, workspaces, limit }) => {
      const found = [...deadLetters.values()]
        .filter((letter) => queueName === undefined || letter.queueName === queueName)
        .filter(({ runId }) => isVisible(workspaces, runs.get(runId)?.workspace ?? ''))
        .toSorted((left, right) => right.at.getTime() - left.at.getTime() || compareTexts(right.runId, left.runId));
      return Promise.resolve(found.slice(0, limit));
    },
    listHolders: ({ queueName, workspaces, limit }) => {
      const found = visible(workspaces)
        .filter((entry) => queueName === undefined || entry.queueName === queueName)
        .filter(({ claimedBy }) => claimedBy !== null)
        .toSorted(compareRanks);
      return Promise.resolve(found.slice(0, limit));
    },
    listWaiting: ({ queueName, workspaces, after, limit }) => {
      const found = visible(workspaces)
        .filter((entry) => entry.queueName === queueName && entry.claimedBy === null)
        .toSorted(inOrder)
        .filter((entry) => after === undefined || inOrder(entry, after) > 0);
      return Promise.resolve(found.slice(0, limit));
    },
    countWaitingBefore: (entry) => {
      const waiting = all().filter(({ claimedBy }) => claimedBy === null);
      const before = waiting.filter((one) => one.queueName === entry.queueName && inOrder(one, entry) < 0);
      return Promise.resolve(before.length);
    },
    findEntry: (runId) => {
      const item = items.get(runId);
      return Promise.resolve(item && toEntry(item));
    },
    readLimits: () => Promise.resolve(new Map(limits)),
    readPauses: () => Promise.resolve(new Map(pauses)),
  };
}

export function rankOf(item: StoredQueueItem): Date {
  return item.rankAt ?? toRank(item);
}

function toEntry(item: StoredQueueItem): QueueEntry {
  const { runId, queueName, at, availableAt = at, claimedBy, isUnlimited, workspace } = item;
  return { runId, queueName, rankAt: rankOf(item), availableAt, claimedBy, isUnlimited, workspace: workspace ?? '' };
}

/** The workspaces of a queue take turns. */
export function shareOf({ queueName, workspace }: { readonly queueName: string; readonly workspace: string | null }) {
  return `${queueName}\n${workspace ?? ''}`;
}

function isVisible({ unassigned, named }: Workspaces, workspace: string): boolean {
  return workspace === '' ? unassigned : named === 'all' || named.includes(workspace);
}

interface Shares {
  readonly entries: readonly QueueEntry[];
  readonly served: ReadonlyMap<string, number>;
}

function compareFairly(shares: Shares, left: Position, right: Position): number {
  const [of, others] = [toShare(shares, left), toShare(shares, right)];
  const difference = of.keys.map((key, index) => key - (others.keys[index] ?? 0)).find((each) => each !== 0);
  return difference ?? compareRanks(of.first, others.first);
}

/** Returns the round in which the workspace of a run gets a slot for it, and the order of the workspaces in a round. */
function toShare({ entries, served }: Shares, entry: Position) {
  const shared = entries.filter((one) => shareOf(one) === shareOf(entry)).toSorted(compareRanks);
  const given = shared.filter(({ claimedBy }) => claimedBy !== null).length;
  const waiting = shared.filter((one) => one.claimedBy === null && one.isUnlimited === entry.isUnlimited);
  const round = waiting.filter((one) => compareRanks(one, entry) <= 0).length + given;
  const keys = [entry.isUnlimited ? 0 : 1, round, -given, served.get(shareOf(entry)) ?? 0];
  return { keys, first: waiting[0] ?? entry };
}

function compareRanks(left: Pick<Position, 'rankAt' | 'runId'>, right: Pick<Position, 'rankAt' | 'runId'>): number {
  return left.rankAt.getTime() - right.rankAt.getTime() || compareTexts(left.runId, right.runId);
}
