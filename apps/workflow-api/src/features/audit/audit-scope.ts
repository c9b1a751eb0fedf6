import { AsyncLocalStorage } from 'node:async_hooks';

import type { AuditedChange } from '../../access/audited-operation';

/** An operation whose change is recorded. */
export interface AuditScope {
  change: AuditedChange;
  /** How often the change was described. */
  descriptions: number;
  /** Whether the entry of the change is stored. */
  isStored: boolean;
}

// What a request does is spread over services and stores, which know nothing of requests.
const scopes = new AsyncLocalStorage<AuditScope>();

export function runInAuditScope<T>(scope: AuditScope, work: () => Promise<T>): Promise<T> {
  return scopes.run(scope, work);
}

/** The operation in progress; missing outside of one, and once its entry is stored. */
export function findAuditScope(): AuditScope | undefined {
  const scope = scopes.getStore();
  return scope?.isStored === true ? undefined : scope;
}

/**
 * Says what the present operation changes. Within a transaction, the entry of the audit log is stored with it;
 * otherwise before the answer. Does nothing outside of an operation that is recorded.
 */
export function describeChange(change: AuditedChange): void {
  const scope = findAuditScope();
  if (scope === undefined) return;
  scope.change = change;
  scope.descriptions += 1;
}
