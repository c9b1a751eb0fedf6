import { beside, type QueueDriver, type QueuePause } from '../../queue';
import { rankOf } from './in-memory-queue-reads';
import type { RunTables } from './in-memory-run-tables';

export function createQueueControls(
  { items }: Pick<RunTables, 'items'>,
  pauses: Map<string, QueuePause>,
): Pick<QueueDriver<never>, 'pause' | 'resume' | 'move'> {
  return {
    pause: (name, pause) => Promise.resolve(void pauses.set(name, pauses.get(name) ?? pause)),
    resume: (name) => Promise.resolve(void pauses.delete(name)),
    move: (runId, to) => {
      const item = items.get(runId);
      if (item?.claimedBy !== null) return Promise.resolve(false);
      const ranks = [...items.values()]
        .filter((one) => one.runId !== runId && one.claimedBy === null && one.queueName === item.queueName)
        .filter(({ isUnlimited }) => isUnlimited === item.isUnlimited)
        .map((one) => rankOf(one).getTime());
      if (ranks.length > 0) {
        const edge = to === 'first' ? Math.min(...ranks) : Math.max(...ranks);
        items.set(runId, { ...item, rankAt: beside(new Date(edge), to) });
      }
      return Promise.resolve(true);
    },
  };
}
