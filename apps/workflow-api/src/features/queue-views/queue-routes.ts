import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import { assertLocalNode } from '../remote-node';
import type { DeadLetterService } from './dead-letter-service';
import type { QueueControl } from './queue-control';
import type { QueueService } from './queue-service';

export function bindQueueRoutes(bind: Bind, queues: QueueService, control: QueueControl): void {
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

  bind(workflowContract.pauseQueue, ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return control.pause(params.name, principal);
  });

  bind(workflowContract.resumeQueue, ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return control.resume(params.name, principal);
  });

  bind(workflowContract.moveQueueItem, ({ input: { params, query, body }, principal }) => {
    assertLocalNode(query);
    return control.move(params.name, body, principal);
  });
}

export function bindDeadLetterRoutes(bind: Bind, deadLetters: DeadLetterService): void {
  bind(workflowContract.listDeadLetters, ({ input: { query }, principal }) => {
    assertLocalNode(query);
    return deadLetters.list(query.queue, principal);
  });

  bind(workflowContract.redriveDeadLetters, ({ input: { query, body }, principal }) => {
    assertLocalNode(query);
    return deadLetters.redrive(body, principal);
  });
}
