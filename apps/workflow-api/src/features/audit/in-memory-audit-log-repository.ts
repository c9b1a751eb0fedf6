import { emptyChain, extendChain } from './audit-chain';
import type { AuditChain, AuditEntry, AuditFilter, AuditLogRepository } from './audit-entry';

/** For specs. Held to the same contract suite as the Prisma repository. */
export function createInMemoryAuditLogRepository(): AuditLogRepository {
  let pending: readonly Parameters<AuditLogRepository['append']>[0][] = [];
  let entries: readonly AuditEntry[] = [];
  let chain: AuditChain = emptyChain;
  const append: AuditLogRepository['append'] = (record) => {
    pending = [...pending, record].toSorted((left, right) => Number(left.timestamp) - Number(right.timestamp));
    return Promise.resolve();
  };
  const matching = (filter: AuditFilter) => entries.filter((entry) => matches(entry, filter)).toReversed();
  return {
    append,
    seal: (limit) => {
      const sealed = extendChain(chain.last, pending.slice(0, limit));
      pending = pending.slice(limit);
      entries = [...entries, ...sealed];
      chain = { ...chain, last: sealed.at(-1) ?? chain.last };
      return Promise.resolve(sealed.length);
    },
    list: (filter, { offset, limit }) => Promise.resolve(matching(filter).slice(offset, offset + limit)),
    count: (filter) => Promise.resolve(matching(filter).length),
    listAfter: (position, limit) =>
      Promise.resolve(entries.filter((entry) => entry.position > position).slice(0, limit)),
    readChain: () => Promise.resolve(chain),
    prune: async (before, limit, toRecord) => {
      const kept = entries.findIndex(({ timestamp }) => timestamp >= before);
      const count = Math.min(kept === -1 ? entries.length : kept, entries.length - 1, limit);
      const newest = entries[count - 1];
      if (newest === undefined) return 0;
      entries = entries.slice(count);
      chain = { ...chain, pruned: newest };
      await append(toRecord(newest));
      return count;
    },
  };
}

function matches(entry: AuditEntry, { from, to, search, workspaces, ...exact }: AuditFilter): boolean {
  if (workspaces !== undefined && !workspaces.includes(entry.workspace ?? '')) return false;
  if (from !== undefined && entry.timestamp < from) return false;
  if (to !== undefined && entry.timestamp >= to) return false;
  const { action, username, resourceId, details } = entry;
  if (search !== undefined && ![action, username, resourceId ?? '', details].some((text) => text.includes(search)))
    return false;
  return Object.entries(exact).every(([field, value]) => entry[field as keyof typeof exact] === value);
}
