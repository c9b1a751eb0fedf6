import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@weir/foundation';
import { CloudEvent, maxEvents } from '@weir/workflow-contract/schemas';

const contentType = 'content-type';

/**
 * Reads the events of a request by the HTTP binding of CloudEvents 1.0.2, sections 3.1 to 3.3. Throws `event_invalid`.
 */
export function readEvents(headers: IncomingHttpHeaders, body: unknown): readonly CloudEvent[] {
  const isNamed = /^application\/cloudevents\b/i.test(headers[contentType] ?? '');
  if (!isNamed && headers['ce-specversion'] !== undefined) return [readEvent(readBinary(headers, body), 'header')];
  // Senders that cannot set another type than "application/json" send the same bodies.
  return Array.isArray(body) ? readBatch(body) : [readEvent(body, 'body')];
}

function readBatch(body: readonly unknown[]): readonly CloudEvent[] {
  if (body.length > maxEvents) throw eventInvalid(`A request may have ${maxEvents} events at most.`);
  return body.map((event, index) => readEvent(event, `body.${index}`));
}

/** Every attribute is a header of its name; the body is the data. */
function readBinary(headers: IncomingHttpHeaders, data: unknown): object {
  const attributes = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('ce-') && typeof value === 'string' ? [[name.slice('ce-'.length), decode(value)] as const] : [],
  );
  return {
    ...Object.fromEntries(attributes),
    ...(data === undefined ? {} : { datacontenttype: headers[contentType], data }),
  };
}

/** Values of headers are percent-encoded UTF-8, section 3.1.3.2. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function readEvent(value: unknown, where: string): CloudEvent {
  const parsed = CloudEvent.safeParse(value);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  const place = problem?.path.join('.') ?? '';
  throw eventInvalid(
    `${where === 'header' ? `ce-${place}` : [where, place].filter(Boolean).join('.')}: ${problem?.message ?? 'is not valid'}`,
  );
}

function eventInvalid(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'event_invalid' });
}
