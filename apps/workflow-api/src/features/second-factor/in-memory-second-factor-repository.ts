import type { SecondFactor } from './second-factor';
import { toSealedRow, type SecondFactorRepository } from './second-factor-repository';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemorySecondFactorRepository(): SecondFactorRepository {
  const rows = new Map<string, SecondFactor>();
  return {
    find: (userId) => Promise.resolve(rows.get(userId)),
    insert: (factor) => {
      const isFirst = !rows.has(factor.userId);
      if (isFirst) rows.set(factor.userId, factor);
      return Promise.resolve(isFirst);
    },
    replace: (factor) => {
      const { userId, revision } = factor;
      const isLatest = rows.get(userId)?.revision === revision;
      if (isLatest) rows.set(userId, { ...factor, revision: revision + 1 });
      return Promise.resolve(isLatest);
    },
    remove: (userId) => Promise.resolve(rows.delete(userId)),
    listSealed: () => Promise.resolve([...rows.values()].map(toSealedRow)),
    replaceSealed: ({ id, sealed: { keyId, text } }, next) => {
      const row = rows.get(id);
      const isSame = row?.sealed.keyId === keyId && row.sealed.text === text;
      if (isSame) rows.set(id, { ...row, sealed: next, revision: row.revision + 1 });
      return Promise.resolve(isSame);
    },
  };
}
