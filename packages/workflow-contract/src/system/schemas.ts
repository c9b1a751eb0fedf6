import { z } from 'zod';

export const HealthResponse = z
  .object({
    status: z.enum(['healthy', 'unhealthy']).describe('Whether the service is healthy.'),
    reason: z
      .enum(['database_unreachable', 'storage_full', 'store_unavailable'])
      .optional()
      .describe(
        'Why it is not: the database does not answer, a disk has no space to store anything, or the store of logs and artifacts cannot be reached.',
      ),
    version: z.string().describe('Version of the service.'),
    uptime: z.int().describe('Seconds since the service started.'),
    timestamp: z.iso.datetime({ offset: true }).describe('Current time.'),
    roles: z
      .array(z.enum(['api', 'scheduler', 'worker']))
      .optional()
      .describe('What this process does; "worker" executes queued runs.'),
    stepIsolation: z
      .enum(['namespaces', 'none'])
      .optional()
      .describe('What keeps the steps of this worker from the secrets of the server and from other runs.'),
  })
  .meta({ id: 'HealthResponse', description: 'Health of the service.' });

export const LivenessResponse = z
  .object({
    status: z.literal('alive').describe('The process answers.'),
    roles: HealthResponse.shape.roles,
  })
  .meta({ id: 'LivenessResponse', description: 'A process that answers.' });

export const RunningTask = z
  .object({
    dagRunId: z.string().describe('Id of the run.'),
    dagName: z.string().describe('Name of the DAG.'),
    startedAt: z.string().describe('When the task started.'),
    rootDagRunName: z.string().optional().describe('DAG of the root run.'),
    rootDagRunId: z.string().optional().describe('Id of the root run.'),
    parentDagRunName: z.string().optional().describe('DAG of the parent run.'),
    parentDagRunId: z.string().optional().describe('Id of the parent run.'),
  })
  .meta({ id: 'RunningTask', description: 'A task of a worker.' });

export const Worker = z
  .object({
    id: z.string().describe('Id of the worker.'),
    labels: z.record(z.string(), z.string()).describe('Its labels.'),
    totalPollers: z.int().describe('Maximum number of concurrent tasks.'),
    busyPollers: z.int().describe('Number of its tasks.'),
    runningTasks: z.array(RunningTask).describe('Tasks of the worker.'),
    lastHeartbeatAt: z.string().describe('Time of the last heartbeat.'),
    healthStatus: z.enum(['healthy', 'warning', 'unhealthy']).meta({
      id: 'WorkerHealthStatus',
      description:
        'Last heartbeat within 5 s, within 15 s, or longer ago; a worker of this machine, whose process can be seen, is healthy or not.',
    }),
    heartbeatAgeMs: z.int().optional().describe('Milliseconds since its last heartbeat, by the clock of the database.'),
    version: z.string().optional().describe('Version of the program that it is part of.'),
    databaseUser: z
      .string()
      .optional()
      .describe('The role of PostgreSQL that it has signed in with: the name of its worker token, if it has one.'),
    claimsQueued: z
      .boolean()
      .optional()
      .describe(
        'Whether it takes queued runs; a command that executes one run is listed while it does, and takes none.',
      ),
  })
  .meta({ id: 'Worker', description: 'A process that executes runs.' });
export type Worker = z.output<typeof Worker>;

export const WorkersListResponse = z
  .object({
    workers: z.array(Worker).describe('All known workers.'),
    errors: z.array(z.string()).describe('Errors while querying the workers.'),
  })
  .meta({ id: 'WorkersListResponse', description: 'The workers.' });
export type WorkersListResponse = z.output<typeof WorkersListResponse>;
