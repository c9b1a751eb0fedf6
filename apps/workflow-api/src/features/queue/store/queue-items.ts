import type { DbTransaction } from '@weir/workflow-db';
import { toRank, type NewQueueItem } from './queue-driver';

export type ItemTable = Pick<DbTransaction, 'queueItem'>;

export async function storeQueueItem({ queueItem }: ItemTable, item: NewQueueItem): Promise<void> {
  const { runId, queueName, at, availableAt = at, claimedBy, token, isUnlimited, selector } = item;
  const workspace = item.workspace ?? '';
  const data = {
    queueName,
    rankAt: toRank(item),
    availableAt,
    claimedBy,
    token,
    isUnlimited,
    selector,
    workspace,
    failures: 0,
  };
  await queueItem.upsert({ where: { runId }, create: { runId, ...data }, update: data, select: { runId: true } });
}

/** Frees the slot of a run when this transaction commits. */
export async function deleteQueueItem(transaction: DbTransaction, runId: string): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM "QueueShare" WHERE "queueName" = (SELECT i."queueName" FROM "QueueItem" i WHERE i."runId" = ${runId})
      AND NOT EXISTS (SELECT 1 FROM "QueueItem" o WHERE o."queueName" = "QueueShare"."queueName" AND o."runId" <> ${runId})`;
  await transaction.$executeRaw`DELETE FROM "QueueItem" WHERE "runId" = ${runId}`;
}
