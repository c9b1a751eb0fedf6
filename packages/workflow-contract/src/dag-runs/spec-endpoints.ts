import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { checkRunRequest, runRefusals, runRequest } from '../run-inputs/run-request';
import { TriggerType } from './schemas';
import { tag } from './shared';
import { maxSpecLength } from '../run-inputs/step-schemas';

const query = z.object({ remoteNode });

/** Commands on the same machine may state this about a run; other clients may not. */
const RunOrigin = z
  .object({
    fileName: z.string().min(1).max(4096).describe('Name of the file in the DAGs folder, or its absolute path.'),
    triggerType: TriggerType.optional(),
    scheduleTime: z.iso.datetime({ offset: true }).optional().describe('The occurrence of the schedule.'),
    priority: z.int().min(-9999).max(9999).optional().describe('A higher priority comes first in a queue.'),
  })
  .meta({ id: 'RunOrigin', description: 'Origin of a run. Accepted only from commands on the same machine.' });

const { dagName, ...request } = runRequest;
const specRequest = {
  spec: z.string().max(maxSpecLength).describe('YAML text; it may contain local DAGs.'),
  name: z.string().min(1).max(255).optional().describe('Name of the DAG, instead of the one in the spec.'),
  ...request,
  origin: RunOrigin.optional(),
};

const refusals = {
  ...runRefusals,
  403: {
    description:
      'The role does not permit writing and running DAGs in this workspace, the field origin is used by a remote caller, or the profile is protected.',
    reasons: ['role_missing', 'dag_name_of_other_workspace', 'local_only', 'profile_protected'],
  },
} as const;
const { 404: dagNotFound, ...errors } = refusals;

const success = (id: string, description: string) =>
  ({
    status: 200,
    description,
    schema: z
      .object({
        dagRunId: z.string().describe('Id of the run.'),
        name: z.string().describe('Name of its DAG.'),
      })
      .meta({ id, description: 'The run that was stored.' }),
  }) as const;

export const executeDagRunFromSpec = endpoint({
  method: 'POST',
  path: '/dag-runs',
  operationId: 'executeDAGRunFromSpec',
  audit: { category: 'dag_run', action: 'dag_run_execute_spec' },
  tag,
  summary: 'Start a run of a given spec',
  description: 'Stores only the run, not a DAG file. Responds once the run is stored and will be executed.',
  access: 'authenticated',
  query,
  body: z
    .object(specRequest)
    .superRefine(checkRunRequest)
    .meta({ id: 'ExecuteDAGRunFromSpecRequest', description: 'A spec, and how to run it.' }),
  success: success('ExecuteDAGRunFromSpecResponse', 'The run is stored.'),
  errors,
});

export const enqueueDagRunFromSpec = endpoint({
  method: 'POST',
  path: '/dag-runs/enqueue',
  operationId: 'enqueueDAGRunFromSpec',
  audit: { category: 'dag_run', action: 'dag_run_enqueue_spec' },
  tag,
  summary: 'Enqueue a run of a given spec',
  description: 'Stores only the run, not a DAG file. Responds once the run is stored as queued.',
  access: 'authenticated',
  query,
  body: z
    .object({
      ...specRequest,
      queue: z
        .string()
        .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be 1 to 64 letters, digits, "_", "." or "-"')
        .optional()
        .describe('Queue, instead of that of the DAG.'),
    })
    .superRefine(checkRunRequest)
    .meta({ id: 'EnqueueDAGRunFromSpecRequest', description: 'A spec, and how to queue a run of it.' }),
  success: success('EnqueueDAGRunFromSpecResponse', 'The run is queued.'),
  errors,
});
