import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import {
  ApproveStepRequest,
  ApproveStepResponse,
  HumanTaskCompletionResponse,
  HumanTaskInput,
  PushBackStepRequest,
  PushBackStepResponse,
  RejectStepRequest,
  RejectStepResponse,
  RetryDagRunRequest,
} from './decision-schemas';
import {
  mayNotControl,
  parserBusy,
  runNotFound,
  runParams,
  stepNotFound,
  stepParams,
  subStepParams,
  tag,
  unauthenticated,
} from './shared';

const query = z.object({ remoteNode });

export const retryDagRun = endpoint({
  method: 'POST',
  path: '/dag-runs/{name}/{dagRunId}/retry',
  operationId: 'retryDAGRun',
  audit: { category: 'dag_run', action: 'dag_run_retry' },
  tag,
  summary: 'Retry a run',
  description:
    'The run keeps its id, its definition and its parameters. Successful steps are not executed again unless one of them is named. Responds once the run is queued.',
  access: 'authenticated',
  params: z.object(runParams),
  query,
  body: RetryDagRunRequest,
  success: { status: 200, description: 'The run is queued.' },
  errors: {
    400: {
      description: 'The ids differ, the request is not valid, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: mayNotControl,
    404: stepNotFound,
    409: {
      description: 'The run is active, or all its steps succeeded and no step is named.',
      reasons: ['dag_run_active', 'nothing_to_retry'],
    },
  },
});

export const deleteDagRun = endpoint({
  method: 'DELETE',
  path: '/dag-runs/{name}/{dagRunId}',
  operationId: 'deleteDAGRun',
  audit: { category: 'dag_run', action: 'dag_run_delete' },
  tag,
  summary: 'Delete a run',
  description: 'Deletes the run with its child runs, its logs and its working folder. The id "latest" is not accepted.',
  access: 'authenticated',
  params: z.object(runParams),
  query,
  success: { status: 204, description: 'The run was deleted.' },
  errors: {
    400: {
      description: 'The run is active, the id is "latest", or the node is not this one.',
      reasons: ['dag_run_active', 'request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: { description: 'The role does not permit deleting runs in this workspace.', reasons: ['role_missing'] },
    404: runNotFound,
  },
});

const gateErrors = {
  400: {
    description: 'The step is not waiting, a required value is missing, or the request is not valid.',
    reasons: ['step_not_waiting', 'approval_inputs_missing', 'request_invalid', 'remote_node_unknown'],
  },
  401: unauthenticated,
  403: mayNotControl,
  404: stepNotFound,
  503: parserBusy,
} as const;

const rejectErrors = {
  ...gateErrors,
  400: {
    description: 'The step is not waiting, or the request is not valid.',
    reasons: ['step_not_waiting', 'request_invalid', 'remote_node_unknown'],
  },
} as const;

const pushBackErrors = {
  ...gateErrors,
  400: {
    description:
      'The step is not waiting, a required value is missing, the step to return to is not one before it, or the request is not valid.',
    reasons: [...gateErrors[400].reasons, 'rewind_not_upstream'],
  },
  409: { description: 'Other steps of the run are running.', reasons: ['dag_run_active'] },
} as const;

const approval = {
  method: 'POST',
  audit: { category: 'dag_run', action: 'step_approve' },
  tag,
  summary: 'Approve a step',
  description: 'The step succeeds, and the run continues. The inputs become the environment of later steps.',
  access: 'authenticated',
  query,
  body: ApproveStepRequest.default({}),
  bodyRequired: false,
  success: { status: 200, description: 'The step was approved.', schema: ApproveStepResponse },
  errors: gateErrors,
} as const;

const rejection = {
  method: 'POST',
  audit: { category: 'dag_run', action: 'step_reject' },
  tag,
  summary: 'Reject a step',
  description: 'Aborts the steps that depend on it, executes the failure handlers and rejects the run.',
  access: 'authenticated',
  query,
  body: RejectStepRequest.default({}),
  bodyRequired: false,
  success: { status: 200, description: 'The step was rejected.', schema: RejectStepResponse },
  errors: rejectErrors,
} as const;

const sendingBack = {
  method: 'POST',
  audit: { category: 'dag_run', action: 'step_push_back' },
  tag,
  summary: 'Push back a step',
  description:
    'Executes the step that the approval names, or the step itself, and all steps after it again, with the inputs in their environment.',
  access: 'authenticated',
  query,
  body: PushBackStepRequest.default({}),
  bodyRequired: false,
  success: { status: 200, description: 'The step was pushed back.', schema: PushBackStepResponse },
  errors: pushBackErrors,
} as const;

export const approveDagRunStep = endpoint({
  ...approval,
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/approve',
  operationId: 'approveDAGRunStep',
  params: stepParams,
});

export const rejectDagRunStep = endpoint({
  ...rejection,
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/reject',
  operationId: 'rejectDAGRunStep',
  params: stepParams,
});

export const pushBackDagRunStep = endpoint({
  ...sendingBack,
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/push-back',
  operationId: 'pushBackDAGRunStep',
  params: stepParams,
});

export const approveSubDagRunStep = endpoint({
  ...approval,
  summary: 'Approve a step of a child run',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/approve',
  operationId: 'approveSubDAGRunStep',
  params: subStepParams,
});

export const rejectSubDagRunStep = endpoint({
  ...rejection,
  summary: 'Reject a step of a child run',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/reject',
  operationId: 'rejectSubDAGRunStep',
  params: subStepParams,
});

export const pushBackSubDagRunStep = endpoint({
  ...sendingBack,
  summary: 'Push back a step of a child run',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/push-back',
  operationId: 'pushBackSubDAGRunStep',
  params: subStepParams,
});

export const completeHumanTask = endpoint({
  method: 'POST',
  path: '/dag-runs/{name}/{dagRunId}/human-tasks/{stepId}/complete',
  operationId: 'completeHumanTask',
  audit: { category: 'dag_run', action: 'human_task_complete' },
  tag,
  summary: 'Complete a human task',
  description:
    'The fields are validated against the form of the task and published as outputs of its step. Repeating the same answer is not an error.',
  access: 'authenticated',
  params: z.object({ ...runParams, stepId: z.string().min(1).max(255).describe('Id of the step.') }),
  query,
  body: HumanTaskInput,
  success: { status: 200, description: 'The task was completed.', schema: HumanTaskCompletionResponse },
  errors: {
    400: {
      description: 'The answer does not match the form, or the request is not valid.',
      reasons: ['human_task_answer_invalid', 'request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: mayNotControl,
    404: stepNotFound,
    409: {
      description: 'The task is not open, or was completed with another answer.',
      reasons: ['human_task_not_open', 'human_task_completed'],
    },
    413: { description: 'The answer exceeds the size limit of outputs.', reasons: ['payload_too_large'] },
    503: parserBusy,
  },
});
