import { translatePrismaError, type Database, type SecondFactor as Row } from '@weir/workflow-db';
import { z } from 'zod';
import type { SealedRow, SealedRows } from '../../encryption';
import { secondFactorContext, type SecondFactor } from './second-factor';

export interface SecondFactorRepository extends SealedRows {
  find(userId: string): Promise<SecondFactor | undefined>;
  /** Stores the first factor of a user. Returns false where the user has one. */
  insert(factor: SecondFactor): Promise<boolean>;
  /** Replaces the factor that was read with this `revision`, which is raised. Returns false where it has changed since. */
  replace(factor: SecondFactor): Promise<boolean>;
  /** Returns whether the user had one. */
  remove(userId: string): Promise<boolean>;
}

export function createPrismaSecondFactorRepository({ db }: Pick<Database, 'db'>): SecondFactorRepository {
  return {
    find: async (userId) => {
      const row = await db.secondFactor.findUnique({ where: { userId } });
      return row === null ? undefined : fromRow(row);
    },
    insert: async (factor) => {
      try {
        await db.secondFactor.create({ data: toRow(factor) });
        return true;
      } catch (error) {
        const failure = translatePrismaError(error);
        if (failure?.kind === 'unique' && failure.constraint === 'SecondFactor_pkey') return false;
        throw error;
      }
    },
    replace: async (factor) => {
      const { userId, revision } = factor;
      const data = { ...toRow(factor), revision: revision + 1 };
      return (await db.secondFactor.updateMany({ where: { userId, revision }, data })).count > 0;
    },
    remove: async (userId) => (await db.secondFactor.deleteMany({ where: { userId } })).count > 0,
    listSealed: async () => (await db.secondFactor.findMany()).map((row) => toSealedRow(fromRow(row))),
    replaceSealed: async ({ id, sealed: { keyId, text } }, next) => {
      const where = { userId: id, keyId, text };
      const data = { keyId: next.keyId, text: next.text, revision: { increment: 1 } };
      return (await db.secondFactor.updateMany({ where, data })).count > 0;
    },
  };
}

export function toSealedRow({ userId, sealed }: SecondFactor): SealedRow {
  return { id: userId, context: secondFactorContext(userId), sealed };
}

function toRow({ sealed, ...factor }: SecondFactor) {
  return {
    ...factor,
    keyId: sealed.keyId,
    text: sealed.text,
    recoveryDigests: [...factor.recoveryDigests],
    confirmedAt: factor.confirmedAt ?? null,
    wrongSince: factor.wrongSince ?? null,
  };
}

function fromRow({ keyId, text, confirmedAt, wrongSince, recoveryDigests, ...row }: Row): SecondFactor {
  return {
    ...row,
    sealed: { keyId, text },
    confirmedAt: confirmedAt ?? undefined,
    wrongSince: wrongSince ?? undefined,
    recoveryDigests: z.array(z.string()).parse(recoveryDigests),
  };
}
