import { StatusName, type StatusKind } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import messages from './messages.json';

const useEventMessages = defineMessages(messages);

/** The named types, each with the status whose shape it has. */
const kinds = {
  'dag.run.queued': 'queued',
  'dag.run.running': 'running',
  'dag.run.succeeded': 'succeeded',
  'dag.run.partially_succeeded': 'partially_succeeded',
  'dag.run.failed': 'failed',
  'dag.run.aborted': 'aborted',
  'dag.run.waiting': 'waiting',
  'dag.run.rejected': 'rejected',
  'step.approved': 'succeeded',
  'step.rejected': 'rejected',
  'step.pushed_back': 'retrying',
  'step.completed': 'succeeded',
  'schedule.skipped': 'skipped',
  'queue.paused': 'waiting',
  'queue.resumed': 'running',
} as const satisfies Record<string, StatusKind>;

export type NamedEvent = keyof typeof kinds;
export const namedEvents = Object.keys(kinds).filter(isNamed);

/** Returns the meaning of a type of events; a type of a newer server is shown as it is. */
export function useEventName(): (type: string) => string {
  const t = useEventMessages();
  return (type) => (isNamed(type) ? t(`event.${type}`) : type);
}

/** Shows an event in words and with a shape. */
export function EventName({ type }: { readonly type: string }): ReactElement {
  const name = useEventName()(type);
  return isNamed(type) ? <StatusName kind={kinds[type]} name={name} /> : <code>{type}</code>;
}

/** Returns the step of a decision, the error of a failure, the name of a queue, or the skipped occurrences. */
export function describeEvent({
  step,
  error,
  queue,
  first,
  last,
  reason,
}: NonNullable<Schemas['EventLogEntry']['data']> = {}): string {
  const parts = [step, queue, first, last === first ? undefined : last, reason, error];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}

function isNamed(type: string): type is NamedEvent {
  return type in kinds;
}
