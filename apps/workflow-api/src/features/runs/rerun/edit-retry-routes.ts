import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../../access/bind';
import type { EditRetrier } from './edit-retrier';

export function bindEditRetryRoutes(bind: Bind, retrier: EditRetrier): void {
  bind(workflowContract.previewEditRetryDagRun, async ({ input: { params, body }, principal }) => {
    return retrier.preview(params, body, principal);
  });

  bind(workflowContract.editRetryDagRun, async ({ input: { params, body }, principal, audit }) => {
    return { queued: true, ...(await retrier.start(params, body, { principal, audit })) };
  });
}
