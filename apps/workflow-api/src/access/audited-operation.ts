import type { Database, DbTransaction } from '@weir/workflow-db';
import type { Principal } from './principal';

/** What an operation changes, without secrets: it is stored as it is given. */
export interface AuditedChange {
  /** Default: the values of the path parameters. */
  readonly resourceId?: string;
  readonly workspace?: string | undefined;
  /** Missing for what did not exist. */
  readonly before?: object | undefined;
  /** Missing for what does not exist any more. */
  readonly after?: object | undefined;
}

export type RecordChange = (change: AuditedChange) => Promise<void>;

type UnitOfWork = Database['unitOfWork'];

/** The operation that a caller has asked for, which has one entry in the audit log: of the first change it records. */
export interface AuditedOperation {
  /** Stores the entry at once. */
  readonly record: RecordChange;
  /** Runs `work` in one transaction, with which the entry is stored that it records: both happen or none does. */
  readonly inTransaction: <T>(
    unitOfWork: UnitOfWork,
    work: (transaction: DbTransaction, record: RecordChange) => Promise<T>,
    options?: Parameters<UnitOfWork>[1],
  ) => Promise<T>;
}

/** What each handler gets; nothing is recorded where the contract of its endpoint names no action. */
export interface Audited {
  readonly audit: AuditedOperation;
}

/** Who asks for a change, which is recorded. */
export interface Requester extends Audited {
  readonly principal: Principal;
}

const recordNothing: RecordChange = () => Promise.resolve();

/** For what no caller has asked for, and for what belongs to an operation that has its entry already. */
export const unaudited: AuditedOperation = {
  record: recordNothing,
  inTransaction: (unitOfWork, work, options) => unitOfWork((transaction) => work(transaction, recordNothing), options),
};
