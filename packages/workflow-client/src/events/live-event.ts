import type { Schemas } from '../schemas';

/** The first event that the server sends on each connection. */
export interface ControlEvent {
  readonly type: 'control';
  /** Names the stream where topics are added or removed: `POST /events/stream/topics`. */
  readonly sessionId: string;
  readonly subscribed: readonly string[];
  readonly errors: readonly Schemas['StreamTopicError'][];
}

/** The state of a topic: the response of its GET operation. */
export interface StateEvent<Payload = unknown> {
  readonly type: 'message';
  readonly id: string;
  readonly topic: string;
  readonly payload: Payload;
}

/** The changes of a topic since the event `from`. */
export interface DeltaEvent {
  readonly type: 'delta';
  readonly id: string;
  readonly topic: string;
  readonly from: string;
  readonly patch: readonly PatchOperation[];
}

/** A change of a JSON document as defined by RFC 6902. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** A topic can no longer be read. */
export interface ClosedEvent extends Readonly<Schemas['StreamTopicError']> {
  readonly type: 'closed';
}

/** The connection was lost; another one is opened after a pause. */
export interface DisconnectedEvent {
  readonly type: 'disconnected';
  readonly error: unknown;
}

export type LiveEvent = ControlEvent | StateEvent | ClosedEvent | DisconnectedEvent;

/** Payloads by the type of the topic, which is what stands before its colon. */
export interface TopicPayloads {
  readonly dag: Schemas['GetDAGDetailsResponse'];
  readonly daghistory: Schemas['GetDAGRunHistoryResponse'];
  readonly dagrun: Schemas['DAGRunDetailsResponse'];
  readonly dagruns: Schemas['DAGRunsPageResponse'];
  readonly dagslist: Schemas['ListDAGsResponse'];
  readonly queues: Schemas['QueuesResponse'];
  readonly subdagrun: Schemas['DAGRunDetailsResponse'];
}

/** Whether an event is the state of a topic of this type. */
export function isStateOf<Type extends keyof TopicPayloads>(
  event: LiveEvent,
  type: Type,
): event is StateEvent<TopicPayloads[Type]> {
  return event.type === 'message' && event.topic.startsWith(`${type}:`);
}

/** An event as it was received. */
export interface ReceivedEvent {
  readonly event: string;
  /** The id of this event or, if it has none, of an earlier one. */
  readonly id: string;
  readonly data: string;
}

interface ControlBody extends Pick<ControlEvent, 'subscribed'> {
  readonly sessionID: string;
  readonly errors?: ControlEvent['errors'];
}

/** Returns `undefined` for an event of a kind that this version does not know. */
export function parseLiveEvent({
  event,
  id,
  data,
}: ReceivedEvent): ControlEvent | StateEvent | DeltaEvent | ClosedEvent | undefined {
  // The shapes are those of the description of the operation.
  const body = JSON.parse(data) as unknown;
  switch (event) {
    case 'control': {
      const { sessionID, subscribed, errors = [] } = body as ControlBody;
      return { type: 'control', sessionId: sessionID, subscribed, errors };
    }
    case 'message':
      return { ...(body as Pick<StateEvent, 'topic' | 'payload'>), type: 'message', id };
    case 'delta':
      return { ...(body as Pick<DeltaEvent, 'topic' | 'from' | 'patch'>), type: 'delta', id };
    case 'closed':
      return { ...(body as Schemas['StreamTopicError']), type: 'closed' };
    default:
      return undefined;
  }
}
