import { toRank, type QueueEntry, type QueuePause, type QueueReads } from '../../queue';
import { compareTexts, type RunTables, type StoredQueueItem } from './in-memory-run-tables';

type Workspaces = Parameters<QueueReads['listQueues']>[0];

export function createQueueReads(
  { runs, items }: Pick<RunTables, 'runs' | 'items'>,
  limits: ReadonlyMap<string, number>,
  pauses: ReadonlyMap<string, QueuePause>,
): QueueReads {
  const visible = ({ unassigned, named }: Workspaces): readonly QueueEntry[] =>
    [...items.values()].map(toEntry).filter(({ runId }) => {
      const workspace = runs.get(runId)?.workspace ?? null;
      return workspace === null ? unassigned : named === 'all' || named.includes(workspace);
    });
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
    listEntries: ({ queueName, isClaimed, workspaces, after, limit }) => {
      const found = visible(workspaces)
        .filter((entry) => queueName === undefined || entry.queueName === queueName)
        .filter(({ claimedBy }) => (claimedBy !== null) === isClaimed)
        .toSorted(compareEntries)
        .filter((entry) => after === undefined || compareEntries(entry, after) > 0);
      return Promise.resolve(found.slice(0, limit));
    },
    countWaitingBefore: (entry) => {
      const waiting = [...items.values()].map(toEntry).filter(({ claimedBy }) => claimedBy === null);
      const before = waiting.filter((one) => one.queueName === entry.queueName && compareEntries(one, entry) < 0);
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
  const { runId, queueName, at, availableAt = at, claimedBy, isUnlimited } = item;
  return { runId, queueName, rankAt: rankOf(item), availableAt, claimedBy, isUnlimited };
}

type Position = Pick<QueueEntry, 'rankAt' | 'runId'>;

function compareEntries(left: Position, right: Position): number {
  return left.rankAt.getTime() - right.rankAt.getTime() || compareTexts(left.runId, right.runId);
}
