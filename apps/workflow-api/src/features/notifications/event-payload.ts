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

/** Returns the address of the page of a run, unless the server does not know its own. */
export function runLink(
  publicUrl: string | undefined,
  { dagName, dagRunId }: Pick<OutboxEvent, 'dagName' | 'dagRunId'>,
): string | undefined {
  if (publicUrl === undefined) return undefined;
  return `${publicUrl}/dag-runs/${encodeURIComponent(dagName)}/${encodeURIComponent(dagRunId)}`;
}

const maxError = 1_000;

/** Writes the event of a run or of a step. */
export function eventPayload(event: OutboxEvent, type: DeliveryType, publicUrl: string | undefined): string {
  const { occurredAt, dagName, dagRunId, status, workspace, error, step } = event;
  return writePayload(type, occurredAt, {
    dagName,
    dagRunId,
    status,
    step,
    workspace,
    error: error?.slice(0, maxError),
    link: runLink(publicUrl, event),
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
  'queue.blocked': 'starts no run',
  'subscription.test': 'is a test of this subscription',
};

/** A message to people. */
export interface EventMessage {
  /** The events without their errors, for the subject of a mail. */
  readonly subject: string;
  readonly text: string;
}

/** Lines of a digest; what is beyond them is counted. */
const maxLines = 50;

/**
 * Describes for people what has happened. Of several payloads, those about the same thing make one line, which
 * describes the last of them.
 */
export function readMessage(payloads: readonly string[]): EventMessage {
  const bodies = payloads.map((payload) => JSON.parse(payload) as EventBody);
  const [only, ...others] = bodies;
  if (only !== undefined && others.length === 0) return { subject: subjectOf(only), text: describe(only, '\n') };
  const alike = Map.groupBy(bodies, ({ type, data }) => JSON.stringify([type, data.dagName, data.step, data.queue]));
  const lines = [...alike.values()].map((group) => {
    const times = group.length === 1 ? '' : ` (${group.length} times)`;
    return group
      .slice(-1)
      .map((last) => `${describe(last, ' ')}${times}`)
      .join('');
  });
  const more = lines.length > maxLines ? [`and ${lines.length - maxLines} more`] : [];
  const dags = new Set(bodies.map(({ data }) => data.dagName));
  const title = `${bodies.length} events of ${dags.size === 1 ? [...dags].join('') : `${dags.size} DAGs`}`;
  return { subject: `[weir] ${title}`, text: [`${title}:`, ...lines.slice(0, maxLines), ...more].join('\n') };
}

/** The link comes behind the separator. */
function describe({ type, data }: EventBody, separator: string): string {
  const { dagName, dagRunId, workspace, error, step, reason, last, since, link, queue } = data;
  if (queue !== undefined) return `Queue ${queue} ${verbs[type]}: ${data.waiting} wait, ${reason} (since ${since})`;
  if (dagName === undefined) return `This ${verbs[type]}`;
  const subject = `${step === undefined ? '' : `step ${step} of `}${dagName}${workspace === undefined ? '' : ` in ${workspace}`}`;
  const details = [
    ...(dagRunId === undefined ? [] : [`run ${dagRunId}`]),
    ...(last === undefined ? [] : [`${reason ?? 'skipped'}, ${last}`]),
    ...(since === undefined ? [] : [`since ${since}`]),
  ];
  const suffix = details.length === 0 ? '' : ` (${details.join(', ')})`;
  const sentence = `${subject} ${verbs[type]}${suffix}${error === undefined ? '' : `: ${error}`}`;
  return link === undefined ? sentence : `${sentence}${separator}${link}`;
}

/** Returns each field on a line of its own. */
export function readFields(payload: string): string {
  const { type, timestamp, data } = JSON.parse(payload) as EventBody;
  return Object.entries({ type, timestamp, ...data })
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n');
}

function subjectOf({ type, data }: EventBody): string {
  const { dagName, step, queue } = data;
  if (queue !== undefined) return `[weir] Queue ${queue} ${verbs[type]}`;
  if (dagName === undefined) return `[weir] This ${verbs[type]}`;
  return `[weir] ${dagName}${step === undefined ? '' : `, step ${step},`} ${verbs[type]}`;
}
