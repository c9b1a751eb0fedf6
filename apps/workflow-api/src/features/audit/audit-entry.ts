import type { DbTransaction } from '@weir/workflow-db';

/** A change or a sign-in, before it has its place in the chain. */
export interface AuditRecord {
  readonly id: string;
  readonly timestamp: Date;
  readonly category: string;
  readonly action: string;
  readonly result: 'success' | 'failure';
  readonly userId: string;
  readonly username: string;
  readonly credentialType: string;
  readonly credentialId: string | null;
  readonly ipAddress: string | null;
  readonly resourceType: string | null;
  readonly resourceId: string | null;
  readonly workspace: string | null;
  readonly correlationId: string;
  /** JSON. */
  readonly details: string;
}

export interface AuditEntry extends AuditRecord {
  /** Counts from 1 without gaps. */
  readonly position: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** An entry by what others are compared with. */
export interface ChainPoint {
  readonly position: number;
  readonly hash: string;
}

/** Where the stored chain begins and ends. */
export interface AuditChain {
  /** The newest entry that was deleted because of its age. */
  readonly pruned: ChainPoint;
  readonly last: ChainPoint;
}

type Exact = Pick<
  AuditRecord,
  | 'category'
  | 'action'
  | 'result'
  | 'userId'
  | 'ipAddress'
  | 'credentialType'
  | 'credentialId'
  | 'resourceType'
  | 'resourceId'
  | 'workspace'
  | 'correlationId'
>;

/** What a list of entries is limited to; missing fields limit nothing. */
export interface AuditFilter extends Partial<Exact> {
  /** Part of the action, the user's name, the resource or the details. */
  readonly search?: string;
  /** Only entries about one of these workspaces. */
  readonly workspaces?: readonly string[];
  /** At this time or later. */
  readonly from?: Date;
  /** Before this time. */
  readonly to?: Date;
}

export interface AuditLogRepository {
  /** Stores a change, in the transaction of the change where it has one. */
  append(record: AuditRecord, transaction?: DbTransaction): Promise<void>;
  /** Puts up to `limit` recorded changes at the end of the chain, the oldest first. Returns how many it were. */
  seal(limit: number): Promise<number>;
  /** Newest first. */
  list(filter: AuditFilter, page: { readonly offset: number; readonly limit: number }): Promise<readonly AuditEntry[]>;
  count(filter: AuditFilter): Promise<number>;
  /** Oldest first. */
  listAfter(position: number, limit: number): Promise<readonly AuditEntry[]>;
  readChain(): Promise<AuditChain>;
  /**
   * Deletes up to `limit` entries from the beginning that are older, but never the newest, and appends what
   * `toRecord` makes of the last one. Returns how many it deleted.
   */
  prune(before: Date, limit: number, toRecord: (last: ChainPoint) => AuditRecord): Promise<number>;
}
