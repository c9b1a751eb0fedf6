import { insertRows, type AuditPending, type Database, type DbTransaction } from '@weir/workflow-db';
import type { AuditRecord } from './audit-entry';
import { findAuditScope, type AuditScope } from './audit-scope';

/** An operation that can say its entry. */
export interface RecordedScope extends AuditScope {
  readonly toRecord: () => AuditRecord;
}

/**
 * The database with transactions that store the entry of the change that is described within them: both happen or none
 * does.
 */
export function auditDatabase<Audited extends Pick<Database, 'unitOfWork'>>(database: Audited): Audited {
  return {
    ...database,
    unitOfWork: async (work, options) => {
      const scope = findAuditScope() as RecordedScope | undefined;
      if (scope === undefined) return database.unitOfWork(work, options);
      const recorded = { isDone: false };
      const result = await database.unitOfWork(async (transaction) => {
        const before = scope.descriptions;
        const value = await work(transaction);
        recorded.isDone = scope.descriptions > before;
        if (recorded.isDone) await insertAuditRecord(transaction, scope.toRecord());
        return value;
      }, options);
      if (recorded.isDone) scope.isStored = true;
      return result;
    },
  };
}

export async function insertAuditRecord(
  db: Pick<DbTransaction, '$executeRaw'>,
  { id, timestamp, ...rest }: AuditRecord,
): Promise<void> {
  await insertRows<AuditPending>(db, 'AuditPending', [{ id, recordedAt: timestamp, content: JSON.stringify(rest) }]);
}
