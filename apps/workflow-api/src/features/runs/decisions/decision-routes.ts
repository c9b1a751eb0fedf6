import { AppError } from '@weir/foundation';
import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../../access/bind';
import type { DecisionService } from './decision-service';

export function bindDecisionRoutes(bind: Bind, decisions: DecisionService): void {
  bind(workflowContract.retryDagRun, async ({ input: { params, body }, principal, audit }) => {
    const { dagRunId, stepName, includeDownstream, subDAGRunId, bypassPreconditions } = body;
    if (dagRunId !== params.dagRunId) throw idsDiffer();
    const request = { step: stepName, downstream: includeDownstream, bypassReason: bypassPreconditions };
    await decisions.retry({ ...params, subDAGRunId }, request, { principal, audit });
    return undefined;
  });

  bind(workflowContract.deleteDagRun, async ({ input: { params }, principal }) => {
    await decisions.remove(params, principal);
    return undefined;
  });

  bind(workflowContract.completeHumanTask, async ({ input: { params, body }, principal, audit }) => {
    const { isRepeated, isResumed, remaining } = await decisions.complete(params, body, { principal, audit });
    const { name: dagName, dagRunId, stepId } = params;
    const remainingWaitingSteps = remaining;
    return { dagName, dagRunId, stepId, alreadyCompleted: isRepeated, queued: isResumed, remainingWaitingSteps };
  });

  bindApprovals(bind, decisions);
  bindApprovalsBelow(bind, decisions);
}

function bindApprovals(bind: Bind, decisions: DecisionService): void {
  bind(workflowContract.approveDagRunStep, async ({ input: { params, body }, principal, audit }) => {
    const { isResumed } = await decisions.approve(params, body.inputs, { principal, audit });
    return { dagRunId: params.dagRunId, stepName: params.stepName, resumed: isResumed };
  });

  bind(workflowContract.rejectDagRunStep, async ({ input: { params, body }, principal, audit }) => {
    const { isResumed } = await decisions.reject(params, body.reason, { principal, audit });
    return { dagRunId: params.dagRunId, stepName: params.stepName, resumed: isResumed };
  });

  bind(workflowContract.pushBackDagRunStep, async ({ input: { params, body }, principal, audit }) => {
    const { isResumed, iteration } = await decisions.pushBack(params, body, { principal, audit });
    const { dagRunId, stepName } = params;
    return { dagRunId, stepName, approvalIteration: iteration, resumed: isResumed };
  });
}

function bindApprovalsBelow(bind: Bind, decisions: DecisionService): void {
  bind(workflowContract.approveSubDagRunStep, async ({ input: { params, body }, principal, audit }) => {
    const { isResumed } = await decisions.approve(params, body.inputs, { principal, audit });
    return { dagRunId: params.dagRunId, stepName: params.stepName, resumed: isResumed };
  });

  bind(workflowContract.rejectSubDagRunStep, async ({ input: { params, body }, principal, audit }) => {
    const { isResumed } = await decisions.reject(params, body.reason, { principal, audit });
    return { dagRunId: params.dagRunId, stepName: params.stepName, resumed: isResumed };
  });

  bind(workflowContract.pushBackSubDagRunStep, async ({ input: { params, body }, principal, audit }) => {
    const { isResumed, iteration } = await decisions.pushBack(params, body, { principal, audit });
    const { dagRunId, stepName, subDAGRunId } = params;
    return { dagRunId, stepName, approvalIteration: iteration, resumed: isResumed, subDAGRunId };
  });
}

function idsDiffer(): AppError {
  return new AppError('invalid_request', 'The "dagRunId" of the body is not that of the address.', {
    reason: 'request_invalid',
  });
}
