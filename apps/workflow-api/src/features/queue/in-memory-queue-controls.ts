import { beside, type QueueDriver, type QueuePause } from './store';
import { rankOf } from './in-memory-queue-reads';
import type { RunTables } from '../runs/store/in-memory-run-tables';

export function createQueueControls(
  { items }: Pick<RunTables, 'items'>,
  pauses: Map<string, QueuePause>,
): Pick<QueueDriver<never>, 'pause' | 'resume' | 'move'> {
  return {
    pause: (name, pause) => {
      const isNew = !pauses.has(name);
      if (isNew) pauses.set(name, pause);
      return Promise.resolve(isNew);
    },
    resume: (name) => Promise.resolve(pauses.delete(name)),
    move: (runId, to) => {
      const item = items.get(runId);
      if (item?.claimedBy !== null) return Promise.resolve(false);
      const ranks = [...items.values()]
        .filter((one) => one.runId !== runId && one.claimedBy === null && one.queueName === item.queueName)
        .filter((one) => one.isUnlimited === item.isUnlimited && one.workspace === item.workspace)
        .map((one) => rankOf(one).getTime());
      if (ranks.length > 0) {
        const edge = to === 'first' ? Math.min(...ranks) : Math.max(...ranks);
        items.set(runId, { ...item, rankAt: beside(new Date(edge), to) });
      }
      return Promise.resolve(true);
    },
  };
}
