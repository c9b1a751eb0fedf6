import type { DbTransaction } from '@weir/workflow-db';
import { toRank, type NewQueueItem } from './queue-driver';

export type ItemTable = Pick<DbTransaction, 'queueItem'>;

export async function storeQueueItem({ queueItem }: ItemTable, item: NewQueueItem): Promise<void> {
  const { runId, queueName, at, availableAt = at, claimedBy, token, isUnlimited, selector } = item;
  const data = { queueName, rankAt: toRank(item), availableAt, claimedBy, token, isUnlimited, selector };
  await queueItem.upsert({ where: { runId }, create: { runId, ...data }, update: data, select: { runId: true } });
}

/** Frees the slot of a run when this transaction commits. */
export async function deleteQueueItem({ queueItem }: ItemTable, runId: string): Promise<void> {
  await queueItem.deleteMany({ where: { runId } });
}
