import { workflowContract } from '@weir/workflow-contract';
import { nodeStatus } from '@weir/workflow-engine/model';
import type { Bind } from '../../../access/bind';
import type { StepCorrections } from './step-corrections';

export function bindStepRoutes(bind: Bind, steps: StepCorrections): void {
  for (const endpoint of [workflowContract.updateDagRunStepStatus, workflowContract.updateSubDagRunStepStatus]) {
    bind(endpoint, async ({ input: { params, body }, principal, audit }) => {
      await steps.correct(params, { name: params.stepName, status: body.status }, { principal, audit });
    });
  }

  for (const endpoint of [workflowContract.getDagRunStepMessages, workflowContract.getSubDagRunStepMessages]) {
    bind(endpoint, async ({ input: { params }, principal }) => {
      const { status } = await steps.find(params, params.stepName, principal);
      // No action of this version is a conversation.
      return {
        messages: [],
        stepStatus: nodeStatus.toNumber(status),
        stepStatusLabel: status,
        hasMore: !nodeStatus.isTerminal(status) && !nodeStatus.isUnstarted(status),
      };
    });
  }
}
