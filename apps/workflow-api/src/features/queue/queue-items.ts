import type { DbTransaction } from '@weir/workflow-db';
import { rankOf, type NewQueueItem } from './queue-driver';

export type ItemTable = Pick<DbTransaction, 'queueItem'>;

export async function putInQueue({ queueItem }: ItemTable, item: NewQueueItem): Promise<void> {
  const { runId, queueName, at, availableAt = at, claimedBy, token, isUnlimited } = item;
  const data = { queueName, rankAt: rankOf(item), availableAt, claimedBy, token, isUnlimited };
  await queueItem.upsert({ where: { runId }, create: { runId, ...data }, update: data, select: { runId: true } });
}

/** Frees the place of a run, from the commit of this transaction on. */
export async function leaveQueue({ queueItem }: ItemTable, runId: string): Promise<void> {
  await queueItem.deleteMany({ where: { runId } });
}
