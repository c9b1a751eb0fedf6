import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { DeadLetterService } from './dead-letter-service';
import type { QueueControl } from './queue-control';
import type { QueueService } from './queue-service';

export function bindQueueRoutes(bind: Bind, queues: QueueService, control: QueueControl): void {
  bind(workflowContract.listQueues, ({ principal }) => {
    return queues.list(principal);
  });

  bind(workflowContract.getQueue, ({ input: { params }, principal }) => {
    return queues.get(params.name, principal);
  });

  bind(workflowContract.listQueueItems, ({ input: { params, query }, principal }) => {
    return queues.items(params.name, query, principal);
  });

  bind(workflowContract.pauseQueue, ({ input: { params }, principal }) => {
    return control.pause(params.name, principal);
  });

  bind(workflowContract.resumeQueue, ({ input: { params }, principal }) => {
    return control.resume(params.name, principal);
  });

  bind(workflowContract.moveQueueItem, ({ input: { params, body }, principal }) => {
    return control.move(params.name, body, principal);
  });
}

export function bindDeadLetterRoutes(bind: Bind, deadLetters: DeadLetterService): void {
  bind(workflowContract.listDeadLetters, ({ input: { query }, principal }) => {
    return deadLetters.list(query.queue, principal);
  });

  bind(workflowContract.redriveDeadLetters, ({ input: { body }, principal, audit }) => {
    return deadLetters.redrive(body, { principal, audit });
  });
}
