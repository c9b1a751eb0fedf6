import { StatusName, type StatusKind } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import messages from './messages.json';

const useEventMessages = defineMessages(messages);

/** The types that have a name, each with the status that it looks like. */
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

/** Says what a type of events means; one of a newer server stays as it is. */
export function useEventName(): (type: string) => string {
  const t = useEventMessages();
  return (type) => (isNamed(type) ? t(`event.${type}`) : type);
}

/** What happened, in words and with a shape. */
export function EventName({ type }: { readonly type: string }): ReactElement {
  const name = useEventName()(type);
  return isNamed(type) ? <StatusName kind={kinds[type]} name={name} /> : <code>{type}</code>;
}

/** The step of a decision, the error of a failure, the name of a queue, the occurrences that were skipped. */
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
