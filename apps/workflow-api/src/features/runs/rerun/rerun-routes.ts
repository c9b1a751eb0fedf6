import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../../access/bind';
import type { Rescheduler } from './rescheduler';

export function bindRerunRoutes(bind: Bind, rescheduler: Rescheduler): void {
  bind(workflowContract.rescheduleDagRun, async ({ input: { params, body }, principal, audit }) => {
    return { dagRunId: await rescheduler.reschedule(params, body, { principal, audit }), queued: true };
  });
}
