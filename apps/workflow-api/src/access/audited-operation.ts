import type { Database, DbTransaction } from '@weir/workflow-db';
import type { Principal } from './principal';

/** What an operation changes, without secrets: it is stored as it is given. */
export interface AuditedChange {
  /** Default: the values of the path parameters. */
  readonly resourceId?: string;
  /** Default: the one in which the operation has needed a role, if it was one. Null for none and for several. */
  readonly workspace?: string | null | undefined;
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
  /**
   * Does a part of the operation that has an entry of its own, in the workspace of its own object: an operation on many
   * objects shows managers of one workspace what it has changed there, and nothing of the others.
   */
  readonly inPart: <T>(part: AuditedPart, work: (requester: Requester) => Promise<T>) => Promise<T>;
}

export interface AuditedPart {
  readonly resourceId: string;
  readonly principal: Principal;
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
  inPart: ({ principal }, work) => work({ principal, audit: unaudited }),
};
