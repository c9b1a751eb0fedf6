import { yieldToEventLoop } from '@weir/foundation';
import type { AuditProblem, AuditVerification } from '@weir/workflow-contract/schemas';
import { findBreak, findBreakAtEnd } from './audit-chain';
import type { AuditEntry, AuditLogRepository, ChainPoint } from './audit-entry';

const batchSize = 1_000;

/** Computes the chain again from the oldest entry that is retained. Entries may be added meanwhile. */
export async function verifyAuditLog(
  auditLog: Pick<AuditLogRepository, 'listAfter' | 'readChain'>,
): Promise<AuditVerification> {
  const { pruned } = await auditLog.readChain();
  const checked = await checkFrom(auditLog, pruned);
  const { pruned: prunedNow, last } = await auditLog.readChain();
  // Entries that became too old were deleted in between.
  if (prunedNow.position !== pruned.position) return verifyAuditLog(auditLog);
  if (checked.problem === undefined && checked.seen.position < last.position) {
    const more = await auditLog.listAfter(checked.seen.position, 1);
    if (more.length > 0) return verifyAuditLog(auditLog);
  }
  const problem = checked.problem ?? findBreakAtEnd(checked.seen, last);
  return describeCheck({ ...checked, problem, first: pruned, last });
}

/** The same for an export: the entries of a file, in its order. */
export function verifyEntries(entries: readonly AuditEntry[]): AuditVerification {
  const [oldest] = entries;
  const first: ChainPoint =
    oldest === undefined ? { position: 0, hash: '' } : { position: oldest.position - 1, hash: oldest.previousHash };
  const checked = checkEntries(first, entries);
  return describeCheck({ ...checked, first, last: checked.seen });
}

interface Checked {
  /** The last entry that belongs to the chain. */
  readonly seen: ChainPoint;
  readonly entries: number;
  readonly problem?: AuditProblem | undefined;
}

async function checkFrom(auditLog: Pick<AuditLogRepository, 'listAfter'>, start: ChainPoint): Promise<Checked> {
  let seen = start;
  let entries = 0;
  for (;;) {
    const batch = await auditLog.listAfter(seen.position, batchSize);
    if (batch.length === 0) return { seen, entries };
    const checked = checkEntries(seen, batch);
    entries += checked.entries;
    if (checked.problem !== undefined) return { ...checked, entries };
    ({ seen } = checked);
    await yieldToEventLoop();
  }
}

function checkEntries(start: ChainPoint, batch: readonly AuditEntry[]): Checked {
  let seen = start;
  let entries = 0;
  for (const entry of batch) {
    const problem = findBreak(seen, entry);
    if (problem !== undefined) return { seen, entries, problem };
    seen = entry;
    entries += 1;
  }
  return { seen, entries };
}

interface FinishedCheck extends Checked {
  readonly first: ChainPoint;
  readonly last: ChainPoint;
}

function describeCheck({ entries, problem, first, last }: FinishedCheck): AuditVerification {
  return {
    valid: problem === undefined,
    entries,
    firstPosition: last.position === 0 ? 0 : first.position + 1,
    lastPosition: last.position,
    lastHash: last.hash,
    ...(problem === undefined ? {} : { problem }),
  };
}
