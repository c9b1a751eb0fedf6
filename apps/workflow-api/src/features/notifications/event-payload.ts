import type { DeliveryType } from '@weir/workflow-contract/schemas';
import type { OutboxEvent } from './subscription';

interface EventBody {
  readonly type: DeliveryType;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, string | number>>;
}

/** Writes an event as JSON; fields that are null or missing are left out. */
export function writePayload(
  type: DeliveryType,
  at: Date,
  data: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const given = Object.entries(data).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [[key, value]],
  );
  const body: EventBody = { type, timestamp: at.toISOString(), data: Object.fromEntries(given) as EventBody['data'] };
  return JSON.stringify(body);
}

const maxError = 1_000;

/** Writes the event of a run or of a step. */
export function eventPayload(event: OutboxEvent, type: DeliveryType): string {
  const { occurredAt, dagName, dagRunId, status, workspace, error, step } = event;
  return writePayload(type, occurredAt, {
    dagName,
    dagRunId,
    status,
    step,
    workspace,
    error: error?.slice(0, maxError),
  });
}

const verbs: Readonly<Record<DeliveryType, string>> = {
  'run.succeeded': 'has succeeded',
  'run.partially_succeeded': 'has partially succeeded',
  'run.failed': 'has failed',
  'run.aborted': 'was aborted',
  'run.rejected': 'was rejected',
  'run.waiting': 'waits for a person',
  'run.recovered': 'has succeeded again after a failure',
  'run.late': 'should have ended by now',
  'step.failed': 'has failed',
  'step.retried': 'is retried',
  'step.waiting': 'waits for a person',
  'schedule.skipped': 'was not started by its schedule',
  'dag.stale': 'has not succeeded for too long',
  'subscription.test': 'is a test of this subscription',
};

/** Describes for people what has happened. */
export function readSentence(payload: string): string {
  const { type, data } = JSON.parse(payload) as EventBody;
  const { dagName, dagRunId, workspace, error, step, reason, last, since } = data;
  if (dagName === undefined) return `This ${verbs[type]}`;
  const subject = `${step === undefined ? '' : `step ${step} of `}${dagName}${workspace === undefined ? '' : ` in ${workspace}`}`;
  const details = [
    ...(dagRunId === undefined ? [] : [`run ${dagRunId}`]),
    ...(last === undefined ? [] : [`${reason ?? 'skipped'}, ${last}`]),
    ...(since === undefined ? [] : [`since ${since}`]),
  ];
  const suffix = details.length === 0 ? '' : ` (${details.join(', ')})`;
  return `${subject} ${verbs[type]}${suffix}${error === undefined ? '' : `: ${error}`}`;
}

/** Returns each field on a line of its own. */
export function readFields(payload: string): string {
  const { type, timestamp, data } = JSON.parse(payload) as EventBody;
  return Object.entries({ type, timestamp, ...data })
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n');
}

/** Returns the subject of a mail: the DAG and its event, without the error. */
export function readSubject(payload: string): string {
  const { type, data } = JSON.parse(payload) as EventBody;
  const { dagName, step } = data;
  if (dagName === undefined) return `[weir] This ${verbs[type]}`;
  return `[weir] ${dagName}${step === undefined ? '' : `, step ${step},`} ${verbs[type]}`;
}
