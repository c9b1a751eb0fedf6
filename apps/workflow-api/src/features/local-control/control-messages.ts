import { runStatus, type RunStatus, triggerTypes } from '@weir/workflow-engine';
import { z } from 'zod';
import { RunSnapshot } from './control-contract';

const name = z.string().min(1).max(255);
const runId = z.string().min(1).max(64);
const time = z.coerce.date();
const RunStatusWord = z.custom<RunStatus>(runStatus.is);

/** Which runs are meant: one, or what the operation says of all of the DAG. */
export const RunAddress = z.object({ dagName: name, dagRunId: runId.optional() });
export type RunAddress = z.output<typeof RunAddress>;

export const HistoryQuery = z.object({
  dagName: name.optional(),
  dagRunId: runId.optional(),
  statuses: z.array(RunStatusWord).max(9).optional(),
  from: time.optional(),
  to: time.optional(),
  limit: z.int().min(1).max(1000),
});
export type HistoryQuery = z.output<typeof HistoryQuery>;

/** A run in a list: neither its parameters nor its text, which may hold what is nobody else's business. */
export const RunView = z.object({
  dagName: name,
  dagRunId: runId,
  status: RunStatusWord,
  triggerType: z.enum(triggerTypes),
  queueName: z.string().nullable(),
  workspace: z.string().nullable(),
  labels: z.array(z.string()),
  createdAt: time,
  queuedAt: time.nullable(),
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  scheduleTime: time.nullable(),
  isStopping: z.boolean(),
  error: z.string().nullable(),
});
export type RunView = z.output<typeof RunView>;

export const StoppedRun = z.object({ dagName: name, dagRunId: runId, outcome: z.enum(['aborted', 'requested']) });
export type StoppedRun = z.output<typeof StoppedRun>;

const RunPlace = z.object({ createdAt: time, dagName: z.string(), id: z.string() });

export const RemoveQuery = RunAddress.partial().extend({
  /** Only runs that ended before. */
  endedBefore: time.optional(),
  /** `next` of the answer before. */
  after: RunPlace.optional(),
});
export type RemoveQuery = z.output<typeof RemoveQuery>;

export const Removed = z.object({
  count: z.int(),
  /** Where to go on; left out at the end. */
  next: RunPlace.optional(),
});
export type Removed = z.output<typeof Removed>;

export const Runs = z.object({ runs: z.array(RunView) });
export const StoppedRuns = z.object({ runs: z.array(StoppedRun) });
export const Suspended = z.object({ fileNames: z.array(z.string()) });
export { RunSnapshot };
