import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { runRefusals } from '../run-inputs/run-request';
import { runParams, tag } from './shared';
import { DagName, DagRunId } from '../run-inputs/identity';

const queuedRun = z
  .object({
    dagRunId: z.string().describe('Id of the new run.'),
    queued: z.boolean().describe('Whether it waits in its queue: always.'),
  })
  .meta({ id: 'RescheduleDAGRunResponse', description: 'The run that was queued.' });

export const rescheduleDagRun = endpoint({
  method: 'POST',
  path: '/dag-runs/{name}/{dagRunId}/reschedule',
  operationId: 'rescheduleDAGRun',
  audit: { category: 'dag_run', action: 'dag_run_reschedule' },
  tag,
  summary: 'Queue a new run like this one',
  description:
    'With the same parameters and labels, and the spec of the run or the present DAG file. The id "latest" selects the newest run of the DAG.',
  access: 'authenticated',
  params: z.object(runParams),
  query: z.object({ remoteNode }),
  body: z
    .object({
      dagRunId: DagRunId.optional(),
      dagName: DagName.optional().describe('Name of the DAG of the new run. Default: the same.'),
      useCurrentDagFile: z.boolean().default(false).describe('Whether the present DAG file is used.'),
    })
    .meta({ id: 'RescheduleDAGRunRequest', description: 'How to queue the new run.' })
    .default({ useCurrentDagFile: false }),
  bodyRequired: false,
  success: { status: 200, description: 'The new run is queued.', schema: queuedRun },
  errors: {
    ...runRefusals,
    404: {
      description: 'There is no such run or no DAG file any more, or it is not visible.',
      reasons: ['dag_run_not_found', 'dag_not_found'],
    },
  },
});
