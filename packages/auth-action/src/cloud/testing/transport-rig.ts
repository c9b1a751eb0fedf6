import type { ServiceCall } from '../service-call';
import { createTransport, type Transport, type TransportOptions } from '../transport';

export interface TransportRig {
  readonly transport: Transport;
  /** Delays between attempts, in milliseconds. */
  readonly waits: readonly number[];
  readonly debugLines: readonly string[];
}

const startedAt = Date.parse('2026-01-01T00:00:00Z');

/** A transport with a clock that only its delays advance, fixed jitter, and a deadline of 30 seconds. */
export function aTransport(options: Partial<TransportOptions> = {}): TransportRig {
  const waits: number[] = [];
  const debugLines: string[] = [];
  let now = startedAt;
  const transport = createTransport({
    env: {},
    userAgent: 'weir-auth-action/0.1.0',
    requestReason: undefined,
    deadline: startedAt + 30_000,
    now: () => now,
    sleep: (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
    random: () => 0.5,
    debug: (text) => debugLines.push(text),
    ...options,
  });
  return { transport, waits, debugLines };
}

export function aCall(address: string, rest: Partial<ServiceCall> = {}): ServiceCall {
  return {
    service: 'sts',
    kind: 'token exchange',
    method: 'POST',
    url: new URL(address),
    headers: {},
    body: '{"subjectToken":"the-secret"}',
    secrets: ['the-secret'],
    ...rest,
  };
}

/** The call for the OIDC token of the job. */
export function aGet(address: string): ServiceCall {
  const { service, kind, method } = { service: 'oidc', kind: 'OIDC token request', method: 'GET' } as const;
  return { service, kind, method, url: new URL(address), headers: {}, secrets: [] };
}
