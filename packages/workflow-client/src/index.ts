export { ApiError, isApiError } from '@weir/api-client';
export {
  isStateOf,
  parseLiveEvent,
  type ClosedEvent,
  type ControlEvent,
  type DeltaEvent,
  type DisconnectedEvent,
  type LiveEvent,
  type PatchOperation,
  type ReceivedEvent,
  type StateEvent,
  type TopicPayloads,
} from './events/live-event';
export { parseEvents } from './events/parse-events';
export { readEvents, type EventOptions } from './events/read-events';
export type { EventSourceLike } from './events/receive-by-event-source';
export { createTopicStates, type TopicStates } from './events/topic-states';
export type { Paths, Schemas } from './schemas';
export { createWorkflowClient, type WorkflowClient, type WorkflowClientOptions } from './workflow-client';
