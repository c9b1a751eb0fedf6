import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { triggerTypes } from '@weir/workflow-engine';

/**
 * What `weir start` says to the server that has the database, over a socket that only the server's own user can open.
 * Not part of the API: both ends come from one build.
 */
const runParams = z.object({ id: z.string().min(1).max(64) });
const maxSpecLength = 1_048_576;

const StepSnapshot = z.object({
  name: z.string(),
  /** When the step is one that follows the state of the run: `init`, `failure`, … */
  handler: z.string().optional(),
  status: z.string(),
  isEnded: z.boolean(),
  isWaiting: z.boolean(),
  startedAt: z.coerce.date().nullable(),
  finishedAt: z.coerce.date().nullable(),
  error: z.string().nullable(),
});
export type StepSnapshot = z.output<typeof StepSnapshot>;

export const RunSnapshot = z.object({
  /** Key of the run. */
  id: z.string(),
  dagName: z.string(),
  dagRunId: z.string(),
  status: z.string(),
  isEnded: z.boolean(),
  /** Whether it goes on only when a person has answered. */
  isWaiting: z.boolean(),
  isSuccess: z.boolean(),
  startedAt: z.coerce.date().nullable(),
  finishedAt: z.coerce.date().nullable(),
  error: z.string().nullable(),
  logFile: z.string(),
  steps: z.array(StepSnapshot),
});
export type RunSnapshot = z.output<typeof RunSnapshot>;

export const StartRequest = z.object({
  specText: z.string().max(maxSpecLength),
  /** Name of the DAG where the text has none. */
  name: z.string().max(255),
  /** Name of the file in the DAGs folder, or the absolute path of a file elsewhere. */
  fileName: z.string().min(1).max(4096),
  params: z.string().max(65_536).optional(),
  dagRunId: z.string().max(64).optional(),
  queueName: z.string().max(64).optional(),
  priority: z.number().int().optional(),
  triggerType: z.enum(triggerTypes).optional(),
  scheduleTime: z.coerce.date().optional(),
});
export type StartRequest = z.output<typeof StartRequest>;

const tag = 'local-control';
const wire = <Schema extends z.ZodType>(schema: Schema) => ({ status: 200, description: 'The run.', schema }) as const;

export const startRunHere = endpoint({
  method: 'POST',
  path: '/runs',
  operationId: 'startRunHere',
  tag,
  summary: 'Start a run in this server',
  access: 'public',
  body: StartRequest,
  success: wire(RunSnapshot),
  errors: {},
});

export const readRunHere = endpoint({
  method: 'GET',
  path: '/runs/{id}',
  operationId: 'readRunHere',
  tag,
  summary: 'Read how a run stands',
  access: 'public',
  params: runParams,
  success: wire(RunSnapshot),
  errors: {},
});

export const stopRunHere = endpoint({
  method: 'POST',
  path: '/runs/{id}/stop',
  operationId: 'stopRunHere',
  tag,
  summary: 'Ask a run to end',
  access: 'public',
  params: runParams,
  success: { status: 204, description: 'The run was asked.' },
  errors: {},
});
