import { insertRows, type ColumnsOf, type Database, type EventLogEntry as Row } from '@weir/workflow-db';
import { z } from 'zod';
import {
  workspaceOf,
  type EventLogEntry,
  type EventLogFilter,
  type EventLogPosition,
  type EventLogRepository,
} from './event-log-entry';

const newestFirst = [{ occurredAt: 'desc' }, { id: 'desc' }] as const;
const rowsPerStatement = 500;

const Data = z.record(z.string(), z.json());

export function createPrismaEventLogRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): EventLogRepository {
  return {
    insert: (entries) =>
      unitOfWork(
        async (transaction) => {
          for (let start = 0; start < entries.length; start += rowsPerStatement) {
            const rows = entries.slice(start, start + rowsPerStatement);
            await insertRows<Row>(transaction, 'EventLogEntry', rows.map(toColumns));
          }
        },
        { isolation: 'read_committed' },
      ),
    list: async (filter, { after, offset = 0, limit }) => {
      const where = { AND: [toWhere(filter), after === undefined ? {} : isAfter(after)] };
      const rows = await db.eventLogEntry.findMany({ where, orderBy: [...newestFirst], skip: offset, take: limit });
      return rows.map(toEntry);
    },
    count: (filter) => db.eventLogEntry.count({ where: toWhere(filter) }),
    prune: async ({ maxEntries, before }) => {
      await db.eventLogEntry.deleteMany({ where: { occurredAt: { lt: before } } });
      const oldestKept = await db.eventLogEntry.findFirst({
        orderBy: [...newestFirst],
        skip: maxEntries - 1,
        select: { occurredAt: true, id: true },
      });
      if (oldestKept !== null) await db.eventLogEntry.deleteMany({ where: isAfter(oldestKept) });
    },
  };
}

function toWhere({ from, to, workspaces, ...values }: EventLogFilter) {
  return {
    ...values,
    ...(workspaces === undefined || workspaces.named === 'all'
      ? {}
      : isInWorkspaces(workspaces.unassigned, workspaces.named)),
    occurredAt: { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) },
  };
}

function isInWorkspaces(unassigned: boolean, named: readonly string[]) {
  return { OR: [...(unassigned ? [{ workspace: null }] : []), { workspace: { in: [...named] } }] };
}

/** Selects entries that are older than this one. */
function isAfter({ occurredAt, id }: EventLogPosition) {
  return { OR: [{ occurredAt: { lt: occurredAt } }, { occurredAt, id: { lt: id } }] };
}

function toColumns(entry: EventLogEntry): ColumnsOf<Row> {
  return {
    id: entry.id,
    occurredAt: entry.occurredAt,
    recordedAt: entry.recordedAt,
    kind: entry.kind,
    type: entry.type,
    sourceInstance: entry.sourceInstance,
    dagName: entry.dagName,
    dagRunId: entry.dagRunId,
    attempt: entry.attempt,
    userId: entry.userId,
    status: entry.status,
    workspace: workspaceOf(entry) ?? null,
    data: JSON.stringify(entry.data),
  };
}

function toEntry({ data, workspace: _, ...row }: Row): EventLogEntry {
  return { ...row, data: Data.parse(data) };
}
