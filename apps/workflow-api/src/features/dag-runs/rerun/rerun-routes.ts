import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../../bind';
import { assertLocalNode } from '../../remote-node';
import type { Rescheduler } from './rescheduler';

export function bindRerunRoutes(bind: Bind, rescheduler: Rescheduler): void {
  bind(workflowContract.rescheduleDagRun, async ({ input: { params, query, body }, principal }) => {
    assertLocalNode(query);
    return { dagRunId: await rescheduler.reschedule(params, body, principal), queued: true };
  });
}
