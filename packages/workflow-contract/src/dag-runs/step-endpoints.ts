import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { ChatMessagesResponse, UpdateStepStatusRequest } from './step-operation-schemas';
import {
  invalidRequest,
  mayNotControl,
  parserBusy,
  stepNotFound,
  stepParams,
  subStepParams,
  tag,
  unauthenticated,
} from './shared';

const query = z.object({ remoteNode });

const correction = {
  method: 'PATCH',
  audit: { category: 'dag_run', action: 'step_status_update' },
  tag,
  description:
    'For a run that has ended: the step is stored with that end, and the status of the run is derived again from its steps. Nothing is executed.',
  access: 'authenticated',
  query,
  body: UpdateStepStatusRequest,
  success: { status: 200, description: 'The step was changed.' },
  errors: {
    400: {
      description:
        'The run is active or a step has not ended, the step is a human task, the status is not that of an end, or the node is not this one.',
      reasons: ['dag_run_active', 'step_not_correctable', 'request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: mayNotControl,
    404: stepNotFound,
    409: { description: 'Others change the run again and again at this moment.', reasons: ['dag_run_changing'] },
    503: parserBusy,
  },
} as const;

const messages = {
  method: 'GET',
  tag,
  description: 'Steps that are no conversations with a language model have none.',
  access: 'authenticated',
  query,
  success: { status: 200, description: 'The messages.', schema: ChatMessagesResponse },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: stepNotFound },
} as const;

export const updateDagRunStepStatus = endpoint({
  ...correction,
  summary: 'Correct the status of a step',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/status',
  operationId: 'updateDAGRunStepStatus',
  params: stepParams,
});

export const updateSubDagRunStepStatus = endpoint({
  ...correction,
  summary: 'Correct the status of a step of a child run',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/status',
  operationId: 'updateSubDAGRunStepStatus',
  params: subStepParams,
});

export const getDagRunStepMessages = endpoint({
  ...messages,
  summary: 'List the messages of a step',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/messages',
  operationId: 'getDAGRunStepMessages',
  params: stepParams,
});

export const getSubDagRunStepMessages = endpoint({
  ...messages,
  summary: 'List the messages of a step of a child run',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/messages',
  operationId: 'getSubDAGRunStepMessages',
  params: subStepParams,
});
