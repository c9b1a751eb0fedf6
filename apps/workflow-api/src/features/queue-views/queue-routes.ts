import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import { assertLocalNode } from '../remote-node';
import type { QueueService } from './queue-service';

export function bindQueueRoutes(bind: Bind, queues: QueueService): void {
  bind(workflowContract.listQueues, ({ input: { query }, principal }) => {
    assertLocalNode(query);
    return queues.list(principal);
  });

  bind(workflowContract.getQueue, ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return queues.get(params.name, principal);
  });

  bind(workflowContract.listQueueItems, ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return queues.items(params.name, query, principal);
  });
}
