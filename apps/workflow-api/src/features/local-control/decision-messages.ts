import { z } from 'zod';

const name = z.string().min(1).max(255);
const runId = z.string().min(1).max(64);
const texts = z.record(name, z.string().max(1_048_576));
const OneRun = z.object({
  /** Found by its id alone when left out. */
  dagName: name.optional(),
  dagRunId: runId,
});
export type OneRun = z.output<typeof OneRun>;

export const RetryOrder = OneRun.extend({
  dagName: name,
  /** Only this step. */
  step: name.optional(),
  downstream: z.boolean().optional(),
});
export type RetryOrder = z.output<typeof RetryOrder>;

export const TaskOrder = OneRun.extend({
  stepId: name,
  by: z.string().max(255),
  /** Fields as they are, or as texts that are read as their types. */
  values: z.record(name, z.union([z.string().max(1_048_576), z.number(), z.boolean()])).optional(),
  texts: texts.optional(),
});
export type TaskOrder = z.output<typeof TaskOrder>;

export const TaskDone = z.object({
  dagName: name,
  dagRunId: runId,
  isRepeated: z.boolean(),
  isResumed: z.boolean(),
  remaining: z.int(),
});
export type TaskDone = z.output<typeof TaskDone>;

export const decisions = ['approve', 'reject', 'push-back'] as const;

export const ApprovalOrder = OneRun.extend({
  decision: z.enum(decisions),
  step: name,
  by: z.string().max(255),
  inputs: texts.optional(),
  reason: z.string().max(4096).optional(),
});
export type ApprovalOrder = z.output<typeof ApprovalOrder>;

export const ApprovalDone = z.object({ dagName: name, dagRunId: runId, isResumed: z.boolean() });
export type ApprovalDone = z.output<typeof ApprovalDone>;

/** A step that waits for a person. */
export const Gate = z.object({
  name: z.string(),
  id: z.string().optional(),
  prompt: z.string(),
  kind: z.enum(['human_task', 'approval']),
  asks: z.unknown(),
});
export type Gate = z.output<typeof Gate>;

export const Gates = z.object({ gates: z.array(Gate) });

export const ParamsOfRun = z.object({ dagRunId: z.string(), params: z.string() });
export type ParamsOfRun = z.output<typeof ParamsOfRun>;
