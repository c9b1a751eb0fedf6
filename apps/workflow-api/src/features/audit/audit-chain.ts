import { createHash } from 'node:crypto';
import type { AuditProblem } from '@weir/workflow-contract/schemas';
import type { AuditChain, AuditEntry, AuditRecord, ChainPoint } from './audit-entry';

/** What the first entry follows. */
export const chainStart: ChainPoint = { position: 0, hash: '0'.repeat(64) };
export const emptyChain: AuditChain = { pruned: chainStart, last: chainStart };

/** The records as the entries that follow `last`. */
export function extendChain(last: ChainPoint, records: readonly AuditRecord[]): readonly AuditEntry[] {
  let previous = last;
  return records.map((record) => {
    const unhashed = { ...record, position: previous.position + 1, previousHash: previous.hash };
    const entry = { ...unhashed, hash: hashEntry(unhashed) };
    previous = entry;
    return entry;
  });
}

export function hashEntry(entry: Omit<AuditEntry, 'hash'>): string {
  const { position, id, timestamp, category, action, result, userId, username, credentialType } = entry;
  const { credentialId, ipAddress, resourceType, resourceId, workspace, correlationId, details } = entry;
  const fields = [
    ...[position, id, timestamp.toISOString(), category, action, result, userId, username, credentialType],
    ...[credentialId, ipAddress, resourceType, resourceId, workspace, correlationId, details],
  ];
  return createHash('sha256')
    .update(`${entry.previousHash}\n${JSON.stringify(fields)}`)
    .digest('hex');
}

/** Why `entry` cannot have been written after `previous`; `undefined` when it can. */
export function findBreak(previous: ChainPoint, entry: AuditEntry): AuditProblem | undefined {
  const expected = previous.position + 1;
  if (entry.position > expected) return problem('removed', expected);
  if (entry.position < expected) return problem('inserted', entry.position);
  if (hashEntry(entry) !== entry.hash) {
    // Entries after one that was inserted were moved by one.
    const isMoved = hashEntry({ ...entry, position: entry.position - 1 }) === entry.hash;
    return isMoved ? problem('inserted', previous.position) : problem('changed', entry.position);
  }
  return entry.previousHash === previous.hash ? undefined : problem('changed', previous.position);
}

/** Why the chain cannot end with the entry `seen`, when it was written up to `last`. */
export function findBreakAtEnd(seen: ChainPoint, last: ChainPoint): AuditProblem | undefined {
  if (seen.position < last.position) return problem('removed', seen.position + 1);
  if (seen.position > last.position) return problem('inserted', last.position + 1);
  return seen.hash === last.hash ? undefined : problem('changed', seen.position);
}

const messages = {
  changed: (position: number) => `The entry at position ${position} is not the one that was written.`,
  removed: (position: number) => `The entry at position ${position} was removed.`,
  inserted: (position: number) => `The entry at position ${position} was inserted.`,
};

function problem(kind: AuditProblem['kind'], position: number): AuditProblem {
  return { kind, position, message: messages[kind](position) };
}
