import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { readEvents } from './read-events';
import { createEventReceiver, type EventDependencies } from './receive-events';

export function bindEventRoutes(bind: Bind, dependencies: EventDependencies): void {
  const receive = createEventReceiver(dependencies);
  bind(workflowContract.receiveEvents, async ({ input: { body }, headers, principal, audit, signal }) => {
    const answer = await receive(readEvents(headers, body), { principal, audit, signal });
    // The request as a whole has the entry of the audit log, with what each event has started.
    if (answer.events.some(({ dags }) => dags.some(({ outcome }) => outcome === 'started'))) {
      await audit.record({ workspace: null, after: answer });
    }
    return answer;
  });
}
