import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { apiErrorResponse, oauthError, type FakeResponse } from './responses';
import { isObject, type FakeCall } from './call';
import type { FakeService } from './fake-types';
import type { Fault, FaultPlans, RetryAfter } from './fault-plans';

/** Returns the next planned fault of each service. */
export function createFaultQueues(initial: FaultPlans): {
  readonly next: (service: FakeService) => Fault;
  readonly set: (plans: FaultPlans) => void;
} {
  let queues = new Map<FakeService, Fault[]>();
  const set = (plans: FaultPlans): void => {
    queues = new Map(Object.entries(plans).map(([service, faults]) => [service as FakeService, [...faults]]));
  };
  set(initial);
  return { set, next: (service) => queues.get(service)?.shift() ?? { kind: 'pass' } };
}

/** The response of a fault that replaces the service; `undefined` if the service handles the request. */
export function createFaultResponse(call: FakeCall, nowSeconds: number, otherHost: string): FakeResponse | undefined {
  const { fault, service } = call;
  switch (fault.kind) {
    case 'status':
      return {
        ...apiErrorResponse(fault.status, 'The service is unavailable.'),
        ...(fault.body === undefined ? {} : { body: fault.body }),
        headers: fault.retryAfter === undefined ? {} : { 'retry-after': retryAfterText(fault.retryAfter, nowSeconds) },
      };
    case 'echo':
      return echo(call, fault.status);
    case 'pending':
      return apiErrorResponse(403, 'The job is pending: its token is delayed until it has started.');
    case 'redirect': {
      const origin = fault.to === 'other host' ? otherHost : '';
      const location = `${origin}${call.target}`;
      return { status: fault.status ?? 307, headers: { location }, body: '' };
    }
    case 'token from the future':
      return service === 'oidc' ? undefined : clockRejection('The token was issued in the future.');
    case 'expired token':
      return service === 'oidc' ? undefined : clockRejection('The token is expired.');
    default:
      return undefined;
  }
}

/** Changes the response of the service. */
export function applyFault(answer: FakeResponse, fault: Fault): FakeResponse {
  const { body } = answer;
  switch (fault.kind) {
    case 'malformed':
      return { ...answer, body: JSON.stringify(body).slice(0, -1) };
    case 'empty':
      return { ...answer, body: {} };
    case 'oversized':
      return isObject(body) ? { ...answer, body: { ...body, padding: 'x'.repeat(fault.bytes) } } : answer;
    case 'expiry':
      return isObject(body) ? { ...answer, body: withExpiry(body, fault.value) } : answer;
    default:
      return answer;
  }
}

export function resetConnection({ socket }: IncomingMessage): void {
  // A TLS socket cannot send a TCP reset.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

export function send(response: ServerResponse, { status, headers = {}, body }: FakeResponse, fault: Fault): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length, ...headers });
  if (fault.kind !== 'cut') {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
}

function echo({ service, headers, body }: FakeCall, status: number): FakeResponse {
  const text = `Cannot handle ${headers.authorization ?? 'no bearer'} ${body}`;
  const isOauth = service === 'sts' || service === 'oauth';
  return isOauth ? oauthError(status, 'invalid_request', text).response : apiErrorResponse(status, text);
}

function withExpiry(body: Readonly<Record<string, unknown>>, value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(body).map(([name, old]) => [name, /^(expires_in|expireTime)$/.test(name) ? value : old]),
  );
}

function retryAfterText(retryAfter: RetryAfter, nowSeconds: number): string {
  if (typeof retryAfter === 'number') return String(retryAfter);
  if ('text' in retryAfter) return retryAfter.text;
  return new Date((nowSeconds + retryAfter.dateInSeconds) * 1000).toUTCString();
}

function clockRejection(description: string): FakeResponse {
  return oauthError(400, 'invalid_grant', description).response;
}
