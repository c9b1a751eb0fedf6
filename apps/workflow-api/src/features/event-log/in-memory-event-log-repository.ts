import { isVisible } from '../../access/access-rules';
import {
  workspaceOf,
  type EventLogEntry,
  type EventLogFilter,
  type EventLogPosition,
  type EventLogRepository,
} from './event-log-entry';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryEventLogRepository(): EventLogRepository {
  let rows: readonly EventLogEntry[] = [];
  const matching = (filter: EventLogFilter) => rows.filter((row) => matches(row, filter)).toSorted(newestFirst);
  return {
    insert: (entries) => {
      rows = [...rows, ...entries];
      return Promise.resolve();
    },
    list: (filter, { after, offset = 0, limit }) => {
      const rest = matching(filter).filter((row) => after === undefined || newestFirst(after, row) < 0);
      return Promise.resolve(rest.slice(offset, offset + limit));
    },
    count: (filter) => Promise.resolve(matching(filter).length),
    prune: ({ maxEntries, before }) => {
      rows = rows
        .toSorted(newestFirst)
        .slice(0, maxEntries)
        .filter(({ occurredAt }) => occurredAt >= before);
      return Promise.resolve();
    },
  };
}

function matches(row: EventLogEntry, { from, to, workspaces, ...values }: EventLogFilter): boolean {
  if (workspaces !== undefined && !isVisible(workspaces, workspaceOf(row))) return false;
  if (from !== undefined && row.occurredAt < from) return false;
  if (to !== undefined && row.occurredAt >= to) return false;
  return Object.entries(values).every(([name, value]) => row[name as keyof typeof values] === value);
}

function newestFirst(left: EventLogPosition, right: EventLogPosition): number {
  const byTime = right.occurredAt.getTime() - left.occurredAt.getTime();
  if (byTime !== 0 || left.id === right.id) return byTime;
  return left.id < right.id ? 1 : -1;
}
