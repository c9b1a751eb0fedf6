import {
  insertRows,
  type AuditPending,
  type ColumnsOf,
  type AuditEntry as Row,
  type Database,
  type DbTransaction,
} from '@weir/workflow-db';
import { z } from 'zod';
import { chainStart, extendChain } from './audit-chain';
import type { AuditChain, AuditEntry, AuditFilter, AuditLogRepository, AuditRecord } from './audit-entry';

const Result = z.enum(['success', 'failure']);
const optionalText = z.string().nullable();
const Content = z.object({
  category: z.string(),
  action: z.string(),
  result: Result,
  userId: z.string(),
  username: z.string(),
  credentialType: z.string(),
  credentialId: optionalText,
  ipAddress: optionalText,
  resourceType: optionalText,
  resourceId: optionalText,
  workspace: optionalText,
  correlationId: z.string(),
  details: z.string(),
});
const name = 'audit';
export function createPrismaAuditLogRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): AuditLogRepository {
  return {
    append: (record, transaction = db) => insertAuditRecord(transaction, record),
    seal: async (limit) => {
      if ((await db.auditPending.findFirst({ select: { id: true } })) === null) return 0;
      return unitOfWork((transaction) => sealWithin(transaction, limit));
    },
    list: async (filter, { offset, limit }) => {
      const where = toWhere(filter);
      const rows = await db.auditEntry.findMany({ where, orderBy: { position: 'desc' }, skip: offset, take: limit });
      return rows.map(toEntry);
    },
    count: (filter) => db.auditEntry.count({ where: toWhere(filter) }),
    listAfter: async (position, limit) => {
      const where = { position: { gt: position } };
      return (await db.auditEntry.findMany({ where, orderBy: { position: 'asc' }, take: limit })).map(toEntry);
    },
    readChain: () => readChain(db),
    prune: (before, limit, toRecord) =>
      unitOfWork(async (transaction) => {
        const { auditEntry, auditChain } = transaction;
        const { pruned, last } = await readChain(transaction);
        const kept = await auditEntry.findFirst({
          where: { timestamp: { gte: before } },
          orderBy: { position: 'asc' },
          select: { position: true },
        });
        const end = Math.min((kept?.position ?? last.position) - 1, last.position - 1, pruned.position + limit);
        const newest = await auditEntry.findUnique({ where: { position: Math.max(end, 0) } });
        if (newest === null || end <= pruned.position) return 0;
        await auditEntry.deleteMany({ where: { position: { lte: end } } });
        await auditChain.update({ where: { name }, data: { prunedPosition: end, prunedHash: newest.hash } });
        await insertAuditRecord(transaction, toRecord(newest));
        return end - pruned.position;
      }),
  };
}

async function insertAuditRecord(
  db: Pick<DbTransaction, '$executeRaw'>,
  { id, timestamp, ...rest }: AuditRecord,
): Promise<void> {
  await insertRows<AuditPending>(db, 'AuditPending', [{ id, recordedAt: timestamp, content: JSON.stringify(rest) }]);
}

async function sealWithin(transaction: DbTransaction, limit: number): Promise<number> {
  const { auditPending, auditChain } = transaction;
  const rows = await auditPending.findMany({ orderBy: [{ recordedAt: 'asc' }, { id: 'asc' }], take: limit });
  if (rows.length === 0) return 0;
  const { pruned, last } = await readChain(transaction);
  const records = rows.map(({ id, recordedAt, content }): AuditRecord => ({
    id,
    timestamp: recordedAt,
    ...Content.parse(JSON.parse(content)),
  }));
  const entries = extendChain(last, records);
  const { position: lastPosition, hash: lastHash } = entries.at(-1) ?? last;
  await insertRows<Row>(transaction, 'AuditEntry', entries.map(toColumns));
  await auditPending.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  await auditChain.upsert({
    where: { name },
    create: { name, prunedPosition: pruned.position, prunedHash: pruned.hash, lastPosition, lastHash },
    update: { lastPosition, lastHash },
  });
  return entries.length;
}

function toColumns(entry: AuditEntry): ColumnsOf<Row> {
  return {
    position: entry.position,
    id: entry.id,
    timestamp: entry.timestamp,
    category: entry.category,
    action: entry.action,
    result: entry.result,
    userId: entry.userId,
    username: entry.username,
    credentialType: entry.credentialType,
    credentialId: entry.credentialId,
    ipAddress: entry.ipAddress,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    workspace: entry.workspace,
    correlationId: entry.correlationId,
    details: entry.details,
    previousHash: entry.previousHash,
    hash: entry.hash,
  };
}

async function readChain({ auditChain }: Pick<DbTransaction, 'auditChain'>): Promise<AuditChain> {
  const row = await auditChain.findUnique({ where: { name } });
  if (row === null) return { pruned: chainStart, last: chainStart };
  return {
    pruned: { position: row.prunedPosition, hash: row.prunedHash },
    last: { position: row.lastPosition, hash: row.lastHash },
  };
}

function toWhere({ from, to, search, workspaces, ...exact }: AuditFilter) {
  const columns = ['action', 'username', 'resourceId', 'details'] as const;
  return {
    ...exact,
    // Beside the workspace that is asked for.
    ...(workspaces === undefined ? {} : { AND: { workspace: { in: [...workspaces] } } }),
    timestamp: { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) },
    ...(search === undefined ? {} : { OR: columns.map((column) => ({ [column]: { contains: search } })) }),
  };
}

function toEntry({ result, ...row }: Row): AuditEntry {
  return { ...row, result: Result.parse(result) };
}
