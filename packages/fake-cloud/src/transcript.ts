import type { IncomingHttpHeaders } from 'node:http';
import { readBearer, contentType, isObject, parseJson, type FakeCall } from './call';
import type { FakeRequest, FakeSecretKind } from './fake-cloud';
import type { FakeSecrets } from './secrets';

/** The outcome is set when the request ends. */
export interface PendingFakeRequest extends FakeRequest {
  outcome: string;
}

/** Records a request for a snapshot. Unknown secrets get a name, so that none is recorded. */
export function transcribe(call: FakeCall, host: string, secrets: FakeSecrets): PendingFakeRequest {
  const bearer = readBearer(call.headers);
  if (bearer !== undefined) secrets.add('foreign bearer', bearer);
  const body = readBody(call);
  if (isObject(body)) {
    for (const [field, kind] of secretFields) {
      const value = body[field];
      if (typeof value === 'string' && value !== '') secrets.add(kind, value);
    }
  }
  const query = call.query.size === 0 ? '' : `?${decodeURIComponent(call.query.toString().replaceAll('+', ' '))}`;
  return {
    service: call.service,
    method: call.method,
    host,
    path: secrets.redact(`${call.path}${query}`),
    headers: relevantHeaders(call.headers, secrets),
    body: redactAll(body, secrets),
    outcome: 'open',
  };
}

const secretFields: readonly (readonly [string, FakeSecretKind])[] = [
  ['subjectToken', 'foreign token'],
  ['subject_token', 'foreign token'],
  ['assertion', 'foreign token'],
  ['client_assertion', 'foreign token'],
  ['WebIdentityToken', 'foreign token'],
  ['token', 'foreign token'],
];

function readBody(call: FakeCall): unknown {
  if (call.body === '') return undefined;
  if (contentType(call.headers) === 'application/x-www-form-urlencoded') {
    return Object.fromEntries(new URLSearchParams(call.body));
  }
  return parseJson(call.body) ?? call.body;
}

function relevantHeaders(headers: IncomingHttpHeaders, secrets: FakeSecrets): Readonly<Record<string, string>> {
  const relevant = /^(accept|authorization|content-type|user-agent|x-goog-.*)$/;
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => relevant.test(name))
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => [name, secrets.redact(String(value))]),
  );
}

function redactAll(value: unknown, secrets: FakeSecrets): unknown {
  if (typeof value === 'string') return secrets.redact(value);
  if (Array.isArray(value)) return value.map((each) => redactAll(each, secrets));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redactAll(each, secrets)]));
}
