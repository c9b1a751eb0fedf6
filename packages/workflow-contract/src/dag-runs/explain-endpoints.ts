import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { DagRunExplanation } from './explanation-schemas';
import { invalidRequest, parserBusy, runParams, stepName, stepNotFound, tag, unauthenticated } from './shared';
import { DagRunId } from '../run-inputs/identity';

const explanation = {
  method: 'GET',
  tag,
  access: 'authenticated',
  query: z.object({
    remoteNode,
    step: stepName.optional().describe('Name or id of the step that is asked about. Default: the run.'),
  }),
  success: { status: 200, description: 'The causes.', schema: DagRunExplanation },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: stepNotFound, 503: parserBusy },
} as const;

export const explainDagRun = endpoint({
  ...explanation,
  path: '/dag-runs/{name}/{dagRunId}/explain',
  operationId: 'explainDAGRun',
  summary: 'Explain why a run or one of its steps is not running',
  description: 'Every cause with what holds it up. The id "latest" selects the newest run of the DAG.',
  params: z.object(runParams),
});

export const explainSubDagRun = endpoint({
  ...explanation,
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/explain',
  operationId: 'explainSubDAGRun',
  summary: 'Explain why a child run or one of its steps is not running',
  params: z.object({ ...runParams, subDAGRunId: DagRunId }),
});
