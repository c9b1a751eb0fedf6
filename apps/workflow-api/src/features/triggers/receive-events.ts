import { createHash } from 'node:crypto';
import { AppError, isAppError } from '@weir/foundation';
import type { CloudEvent, EventOutcome, EventsResponse } from '@weir/workflow-contract/schemas';
import { maxWebhookPayloadBytes } from '@weir/workflow-contract';
import { isEventTrigger, type EventTrigger } from '@weir/workflow-spec';
import type { Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import type { OutputEvaluator } from '../../output-thread';
import { createDagAccess, type DagAccessDependencies, type DagCatalog } from '../dags';
import { startsAs, type StartRun } from '../runs';
import { matchesName } from './match-name';

export interface EventDependencies extends DagAccessDependencies {
  readonly catalog: Pick<DagCatalog, 'ready' | 'follow'>;
  readonly outputEvaluator: OutputEvaluator;
  readonly startRun: StartRun;
}

interface WaitingDag {
  readonly fileName: string;
  readonly name: string;
  readonly workspace: string | undefined;
  readonly triggers: readonly EventTrigger[];
  readonly isSuspended: boolean;
}

/** For all events of a request; those that were started by then start nothing when they are sent again. */
const deadlineMs = 60_000;

/** Starts a run of every DAG that waits for an event. What it returns has been stored. */
export type ReceiveEvents = (events: readonly CloudEvent[], sender: Sender) => Promise<EventsResponse>;

export interface Sender extends Requester {
  /** Ends when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export function createEventReceiver(dependencies: EventDependencies): ReceiveEvents {
  const waiting = new Map<string, WaitingDag>();
  let isFollowing = false;
  const follow = async (): Promise<void> => {
    await dependencies.catalog.ready();
    if (isFollowing) return;
    isFollowing = true;
    dependencies.catalog.follow((fileName, entry, isSuspended) => {
      const triggers = entry?.errors.length === 0 ? (entry.dag.triggers ?? []).filter(isEventTrigger) : [];
      if (entry === undefined || triggers.length === 0) waiting.delete(fileName);
      else
        waiting.set(fileName, {
          fileName,
          name: entry.dag.name,
          workspace: entry.dag.workspace,
          triggers,
          isSuspended,
        });
    });
  };
  return async (events, { signal, ...requester }) => {
    await follow();
    const tooLarge = events.find((event) => Buffer.byteLength(JSON.stringify(event)) > maxWebhookPayloadBytes);
    if (tooLarge !== undefined) throw eventTooLarge(tooLarge.id);
    const received: EventsResponse['events'] = [];
    const ending = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
    for (const event of events) {
      const dags: EventOutcome[] = [];
      for (const dag of findWaiting(waiting, event, requester.principal)) {
        const { fileName, name: dagName } = dag;
        dags.push({ fileName, dagName, ...(await offer(dependencies, dag, { event, ...requester, signal: ending })) });
      }
      received.push({ id: event.id, source: event.source, dags });
    }
    return { events: received };
  };
}

/** The DAGs with a trigger for the event that the caller may run. */
function findWaiting(
  waiting: ReadonlyMap<string, WaitingDag>,
  { type, source }: CloudEvent,
  principal: Principal,
): readonly WaitingDag[] {
  const { mayStartIn } = startsAs(principal);
  return [...waiting.values()]
    .filter(({ workspace }) => mayStartIn?.(workspace) === true)
    .map((dag) => ({
      ...dag,
      triggers: dag.triggers.filter(
        (trigger) => matchesName(trigger.event, type) && matchesName(trigger.source ?? '*', source),
      ),
    }))
    .filter(({ triggers }) => triggers.length > 0)
    .toSorted((left, right) => (left.fileName < right.fileName ? -1 : 1));
}

type Outcome = Pick<EventOutcome, 'outcome' | 'dagRunId' | 'message'>;

interface Offer extends Sender {
  readonly event: CloudEvent;
}

async function offer(
  dependencies: EventDependencies,
  dag: WaitingDag,
  { event, principal: sender, audit: operation, signal }: Offer,
): Promise<Outcome> {
  if (signal.aborted) throw eventsTooSlow(signal.reason);
  if (dag.isSuspended) return { outcome: 'suspended', message: 'The DAG is suspended.' };
  const text = JSON.stringify(event);
  const accepted = await isAccepted(dependencies.outputEvaluator, dag.triggers, { stdout: text, signal });
  if (typeof accepted === 'string') return { outcome: 'refused', message: accepted };
  if (!accepted) return { outcome: 'filtered', message: 'The filter of the trigger leaves the event out.' };
  const dagRunId = eventRunId(event);
  try {
    const part = { resourceId: `${dag.name}/${dagRunId}`, principal: sender };
    await operation.inPart(part, async ({ principal, audit }) => {
      const source = await createDagAccess(dependencies).findRunnable(dag.fileName, principal);
      await dependencies.startRun(source, {
        dagRunId,
        params: JSON.stringify({ WEIR_TRIGGER_EVENT: text }),
        triggerType: 'event',
        ...startsAs(principal),
        audit,
      });
    });
    return { outcome: 'started', dagRunId };
  } catch (error) {
    // The sender gets an error and sends the event again.
    if (!isAppError(error) || error.code === 'unavailable' || error.code === 'internal') throw error;
    if (error.reason === 'dag_run_exists') return { outcome: 'already_started', dagRunId };
    return { outcome: 'refused', message: error.message };
  }
}

/** Whether a filter accepts the event; the text says why none could be evaluated. */
async function isAccepted(
  outputEvaluator: OutputEvaluator,
  triggers: readonly EventTrigger[],
  { stdout, signal }: { readonly stdout: string; readonly signal: AbortSignal },
): Promise<boolean | string> {
  let problem: string | undefined;
  for (const { filter } of triggers) {
    if (filter === undefined) return true;
    const result = await outputEvaluator.evaluate(
      {
        fields: [
          {
            name: 'accepted',
            source: { kind: 'stdout', decode: 'json', select: `(${filter}) | (. != null and . != false)` },
          },
        ],
        stdout,
        files: [],
        maxBytes: maxWebhookPayloadBytes,
      },
      signal,
    );
    if (signal.aborted) throw eventsTooSlow(signal.reason);
    if ('problem' in result) problem = `The filter cannot be evaluated: ${result.problem}`;
    else if (result.fields[0]?.value === true) return true;
  }
  return problem ?? false;
}

/** The same for every delivery of the event, so that the unique id of runs keeps a second one from starting. */
function eventRunId({ source, id }: CloudEvent): string {
  return `event-${createHash('sha256').update(`${source}\0${id}`).digest('hex').slice(0, 32)}`;
}

function eventsTooSlow(cause: unknown): AppError {
  const message = 'The events took too long: send them again, and those that have started runs start no others.';
  return new AppError('unavailable', message, { reason: 'events_too_slow', cause });
}

function eventTooLarge(id: string): AppError {
  const message = `The event ${JSON.stringify(id)} is larger than ${maxWebhookPayloadBytes} bytes.`;
  return new AppError('payload_too_large', message, { reason: 'event_too_large' });
}
