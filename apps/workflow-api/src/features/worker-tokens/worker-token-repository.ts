import { translatePrismaError, type Database, type WorkerTokenRow } from '@weir/workflow-db';
import { selectorLabels, selectorText } from '@weir/workflow-engine/model';
import type { AuditedOperation } from '../../access/audited-operation';
import type { WorkerToken } from './worker-token';
import { workerTokenNotFound, workerTokenTaken } from './worker-token-errors';
import { presentWorkerToken } from './worker-token-presenter';

export interface WorkerTokenRepository {
  /** Lists by name. */
  list(): Promise<readonly WorkerToken[]>;
  findByHash(tokenHash: string): Promise<WorkerToken | undefined>;
  /** Throws `worker_token_taken`. */
  insert(token: WorkerToken, audit: AuditedOperation): Promise<void>;
  /** Stores the time of a use, unless one after `notAfter` is stored; does nothing when the token is revoked. */
  noteUse(id: string, use: { readonly at: Date; readonly notAfter: Date }): Promise<void>;
  /** Returns the removed token. Throws `worker_token_not_found`. */
  remove(name: string, audit: AuditedOperation): Promise<WorkerToken>;
}

export function createPrismaWorkerTokenRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): WorkerTokenRepository {
  return {
    // The order does not rely on the sorting rules of databases.
    list: async () => (await db.workerToken.findMany()).map(fromRow).toSorted(byName),
    findByHash: async (tokenHash) => {
      const row = await db.workerToken.findUnique({ where: { tokenHash } });
      return row === null ? undefined : fromRow(row);
    },
    insert: async (token, audit) => {
      const data = { ...token, labels: selectorText(token.labels), lastUsedAt: null };
      await audit.inTransaction(unitOfWork, async ({ workerToken }, record) => {
        await workerToken.create({ data }).catch((error: unknown) => rethrow(error, token.name));
        await record({ resourceId: token.name, after: presentWorkerToken(token) });
      });
    },
    noteUse: async (id, { at, notAfter }) => {
      const isDue = { OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: notAfter } }] };
      await db.workerToken.updateMany({ where: { id, ...isDue }, data: { lastUsedAt: at } });
    },
    remove: (name, audit) =>
      audit.inTransaction(unitOfWork, async ({ workerToken }, record) => {
        const row = await workerToken.delete({ where: { name } }).catch((error: unknown) => rethrow(error, name));
        const removed = fromRow(row);
        await record({ before: presentWorkerToken(removed) });
        return removed;
      }),
  };
}

export function byName(left: WorkerToken, right: WorkerToken): number {
  return left.name < right.name ? -1 : 1;
}

function rethrow(error: unknown, name: string): never {
  const failure = translatePrismaError(error);
  if (failure?.kind === 'unique' && failure.constraint === 'worker_token_name_key') throw workerTokenTaken(name);
  if (failure?.kind === 'not_found') throw workerTokenNotFound(name);
  throw error;
}

function fromRow({ labels, lastUsedAt, ...row }: WorkerTokenRow): WorkerToken {
  return { ...row, labels: selectorLabels(labels), lastUsedAt: lastUsedAt ?? undefined };
}
