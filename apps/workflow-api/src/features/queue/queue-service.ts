import { AppError } from '@weir/foundation';
import type { Queue, QueuedDagRunsPageResponse, QueuesResponse } from '@weir/workflow-contract/schemas';
import type { DagRunSummary } from '@weir/workflow-engine/model';
import { z } from 'zod';
import type { RunFiles } from '../../run-files';
import { visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { presentRuns, type DagRunRepository } from '../runs';
import { createPageCursors, listHash } from '../../http/page-cursor';
import type { QueueEntry, QueuePause, QueueReads } from './store';

export interface QueueServiceDependencies {
  readonly queue: QueueReads;
  readonly runs: Pick<DagRunRepository, 'listSummaries'>;
  readonly runFiles: Pick<RunFiles, 'view'>;
}

export interface QueueItemsQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export type QueueService = ReturnType<typeof createQueueService>;

const maxRunning = 500;
const defaultLimit = 100;
const maxLimit = 500;
const Cursor = z.strictObject({
  r: z.int().min(-8_640_000_000_000_000).max(8_640_000_000_000_000),
  i: z.string().max(255),
  w: z.string().max(255),
  u: z.boolean(),
});
const cursors = createPageCursors(Cursor);

/** Serves the queues with the runs that the principal may see. */
export function createQueueService({ queue, runs, runFiles }: QueueServiceDependencies) {
  const read = async (principal: Principal): Promise<readonly Queue[]> => {
    const workspaces = visibleWorkspaces(principal, { kind: 'all' });
    const [uses, limits, pauses, claimed] = await Promise.all([
      queue.listQueues(workspaces),
      queue.readLimits(),
      queue.readPauses(),
      queue.listHolders({ workspaces, limit: maxRunning }),
    ]);
    const summaries = await runs.listSummaries(claimed.map(({ runId }) => runId));
    // A paused queue stays in the list for principals who may resume it.
    const paused = principal.workspaceAccess.all ? pauses.keys() : [];
    const names = [...new Set([...limits.keys(), ...paused, ...uses.map(({ name }) => name)])].toSorted();
    const presented = names.map(async (name): Promise<Queue> => {
      const use = uses.find((found) => found.name === name);
      const holders = claimed.filter(({ queueName }) => queueName === name);
      return {
        name,
        type: limits.has(name) ? 'global' : 'dag-based',
        maxConcurrency: limits.get(name) ?? 1,
        runningCount: use?.claimed ?? 0,
        queuedCount: use?.waiting ?? 0,
        running: await presentRuns(runFiles, findAll(summaries, holders)),
        ...presentPause(pauses.get(name)),
      };
    });
    return Promise.all(presented);
  };

  const get = async (name: string, principal: Principal): Promise<Queue> => {
    const found = (await read(principal)).find((one) => one.name === name);
    if (found !== undefined) return found;
    throw new AppError('not_found', `There is no queue "${name}".`, { reason: 'queue_not_found' });
  };

  return {
    list: async (principal: Principal): Promise<QueuesResponse> => {
      const queues = [...(await read(principal))];
      return { queues, summary: summarize(queues) };
    },

    /** Throws `queue_not_found`. */
    get,

    /** Lists the waiting runs, the next one first. Throws `cursor_invalid` or `queue_not_found`. */
    items: async (name: string, query: QueueItemsQuery, principal: Principal): Promise<QueuedDagRunsPageResponse> => {
      await get(name, principal);
      const { limit = 0, cursor } = query;
      const size = limit < 1 ? defaultLimit : Math.min(limit, maxLimit);
      const workspaces = visibleWorkspaces(principal, { kind: 'all' });
      const hash = listHash({ queue: name, workspaces });
      const from = cursor === undefined ? undefined : cursors.read(cursor, hash);
      const after = from && toPosition(name, from);
      const waiting = { queueName: name, workspaces, after, limit: size + 1 };
      const entries = await queue.listWaiting(waiting);
      const page = entries.slice(0, size);
      const last = entries.length > size ? page.at(-1) : undefined;
      const items = await presentRuns(
        runFiles,
        findAll(await runs.listSummaries(page.map(({ runId }) => runId)), page),
      );
      if (last === undefined) return { items };
      return { items, nextCursor: cursors.write(hash, toCursor(last)) };
    },
  };
}

function toCursor({ rankAt, runId, workspace, isUnlimited }: QueueEntry): z.infer<typeof Cursor> {
  return { r: rankAt.getTime(), i: runId, w: workspace, u: isUnlimited };
}

function toPosition(queueName: string, { r, i, w, u }: z.infer<typeof Cursor>) {
  return { queueName, rankAt: new Date(r), runId: i, workspace: w, isUnlimited: u };
}

function presentPause(pause: QueuePause | undefined): Pick<Queue, 'pausedAt' | 'pausedBy'> {
  return pause === undefined ? {} : { pausedAt: pause.pausedAt.toISOString(), pausedBy: pause.pausedBy };
}

function findAll(summaries: ReadonlyMap<string, DagRunSummary>, entries: readonly { readonly runId: string }[]) {
  return entries.flatMap(({ runId }) => summaries.get(runId) ?? []);
}

function summarize(queues: readonly Queue[]): QueuesResponse['summary'] {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const totalRunning = sum(queues.map(({ runningCount }) => runningCount));
  const totalCapacity = sum(queues.map(({ maxConcurrency = 1 }) => maxConcurrency));
  return {
    totalQueues: queues.length,
    totalRunning,
    totalQueued: sum(queues.map(({ queuedCount }) => queuedCount)),
    totalCapacity,
    // Runs that were started at once need no free slot, so there may be more of them than slots.
    utilizationPercentage: totalCapacity === 0 ? 0 : Math.min(100, (totalRunning / totalCapacity) * 100),
  };
}
