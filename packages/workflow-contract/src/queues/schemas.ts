import { z } from 'zod';
import { DagRunSummary } from '../dag-runs/schemas';
import { DagRunId } from '../run-inputs/identity';

const count = z.int().min(0);

export const Queue = z
  .object({
    name: z.string().describe('Name of the queue.'),
    type: z
      .enum(['global', 'dag-based'])
      .describe('"global" for a queue with configured slots, "dag-based" for any other, which has one slot.'),
    maxConcurrency: z.int().min(1).optional().describe('Number of slots.'),
    runningCount: count.describe('Slots in use; runs that were started at once count, too.'),
    queuedCount: count.describe('Runs that wait for a slot.'),
    running: z.array(DagRunSummary).describe('The runs that hold slots; at most 500 of all queues.'),
    pausedAt: z.iso.datetime({ offset: true }).optional().describe('Since when it is paused; absent while it is not.'),
    pausedBy: z.string().optional().describe('Who paused it.'),
  })
  .meta({ id: 'Queue', description: 'A queue of runs.' });
export type Queue = z.output<typeof Queue>;

export const QueuesSummary = z
  .object({
    totalQueues: count.describe('Number of queues.'),
    totalRunning: count.describe('Slots in use.'),
    totalQueued: count.describe('Runs that wait.'),
    totalCapacity: count.describe('Slots of all queues.'),
    utilizationPercentage: z.number().min(0).max(100).describe('Share of the slots in use; 0 without slots.'),
  })
  .meta({ id: 'QueuesSummary', description: 'Totals of the listed queues.' });

export const QueuesResponse = z
  .object({ queues: z.array(Queue).describe('By name.'), summary: QueuesSummary })
  .meta({ id: 'QueuesResponse', description: 'The queues.' });
export type QueuesResponse = z.output<typeof QueuesResponse>;

export const QueuedDagRunsPageResponse = z
  .object({
    items: z.array(DagRunSummary).describe('The next run first.'),
    nextCursor: z.string().optional().describe('Cursor of the next page; absent on the last page.'),
  })
  .meta({ id: 'QueuedDAGRunsPageResponse', description: 'A page of queued runs.' });
export type QueuedDagRunsPageResponse = z.output<typeof QueuedDagRunsPageResponse>;

export const MoveQueueItemRequest = z
  .object({
    name: z.string().min(1).max(255).describe('Name of the DAG.'),
    dagRunId: DagRunId,
    to: z.enum(['first', 'last']).describe('Before or behind all other runs that wait for a slot of the queue.'),
  })
  .meta({ id: 'MoveQueueItemRequest', description: 'A waiting run and where it is moved to.' });

export type MoveQueueItemRequest = z.output<typeof MoveQueueItemRequest>;

export const QueuePositionResponse = z
  .object({
    position: z
      .int()
      .min(1)
      .optional()
      .describe('1 for the next run; absent when the run was claimed in the meantime.'),
  })
  .meta({ id: 'QueuePositionResponse', description: 'Where a run waits in its queue.' });
export type QueuePositionResponse = z.output<typeof QueuePositionResponse>;

export const DeadLetter = z
  .object({
    queue: z.string().describe('Name of the queue that it waited in.'),
    reason: z
      .enum(['worker_lost', 'not_executed'])
      .describe('What happened last: its worker was gone, or could not execute it.'),
    failures: count.describe('How often, since a step of it passed last.'),
    at: z.iso.datetime({ offset: true }).describe('When it was given up.'),
    run: DagRunSummary,
  })
  .meta({ id: 'DeadLetter', description: 'A run that was given up.' });

export const DeadLettersResponse = z
  .object({ deadLetters: z.array(DeadLetter).describe('The newest first; at most 500.') })
  .meta({ id: 'DeadLettersResponse', description: 'The runs that were given up.' });
export type DeadLettersResponse = z.output<typeof DeadLettersResponse>;

export const RedriveRequest = z
  .object({
    queue: z.string().min(1).max(255).optional().describe('Only those of this queue.'),
    dagRunId: DagRunId.optional().describe('Only the run with this ID.'),
  })
  .meta({ id: 'RedriveRequest', description: 'Which of the runs that were given up. Default: all.' });
export type RedriveRequest = z.output<typeof RedriveRequest>;

const RedrivenRun = z.object({ name: z.string().describe('Name of the DAG.'), dagRunId: DagRunId });

export const RedriveResponse = z
  .object({
    redriven: z.array(RedrivenRun).describe('The runs that are queued again.'),
    refused: z
      .array(RedrivenRun.extend({ reason: z.string().describe('Why, as the retry of the run would be refused.') }))
      .describe('The runs that are not.'),
  })
  .meta({ id: 'RedriveResponse', description: 'What was queued again.' });
export type RedriveResponse = z.output<typeof RedriveResponse>;
