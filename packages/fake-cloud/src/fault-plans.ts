import type { FakeService } from './fake-cloud-types';

/** Seconds from now as a number or as an HTTP date, or any text. */
export type RetryAfter = number | { readonly dateInSeconds: number } | { readonly text: string };

/** What becomes of one request. */
export type Fault =
  | { readonly kind: 'pass' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: RetryAfter; readonly body?: string }
  /** `before`: nothing is read or issued. `after`: the request had its effect and only the answer is missing. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** Waits for `release()`, or for the client to leave. */
  | { readonly kind: 'hold' }
  /** Half of the promised bytes, then the connection ends. */
  | { readonly kind: 'cut' }
  /** 200, in full, and not JSON. */
  | { readonly kind: 'malformed' }
  /** 200 and JSON, without any field that is expected. */
  | { readonly kind: 'empty' }
  /** 200, the right fields, and this many bytes of padding. */
  | { readonly kind: 'oversized'; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly to: 'same host' | 'other host'; readonly status?: number }
  /** In place of `expires_in` and `expireTime`; `undefined` leaves them out. */
  | { readonly kind: 'expiry'; readonly value: unknown }
  /** From the issuer a token of a wrong clock; from the others the refusal of one. */
  | { readonly kind: 'token from the future' }
  | { readonly kind: 'expired token' }
  /** A careless refusal that quotes the request, secrets and all. */
  | { readonly kind: 'echo'; readonly status: number }
  /** 403 of the issuer while the job is not ready. */
  | { readonly kind: 'pending' };

/** For each service what becomes of its first requests; later ones pass. */
export type FaultPlans = Readonly<Partial<Record<FakeService, readonly Fault[]>>>;

/** One `status` fault each. */
export function statuses(...list: readonly number[]): readonly Fault[] {
  return list.map((status) => ({ kind: 'status', status }));
}

export interface SeededFaultOptions {
  /** Services that get a plan. Default: the four of the way to a token. */
  readonly services?: readonly FakeService[];
  /** The longest plan of a service. Default 7, one more than a patient client tries. */
  readonly longest?: number;
  /** Whether requests may wait for ever. Default no: it costs a client its whole deadline. */
  readonly holds?: boolean;
}

/** Plans that look like bad days and are the same for the same seed. About half of the services have no fault. */
export function seededFaultPlan(seed: number, options: SeededFaultOptions = {}): FaultPlans {
  const { services = ['oidc', 'sts', 'iam', 'oauth'], longest = 7, holds = false } = options;
  const random = createRandom(seed);
  const kinds: Choice = holds ? [{ kind: 'hold' }, ...seededFaults] : seededFaults;
  const plan = (): readonly Fault[] => {
    const length = random() < 0.5 ? 0 : 1 + Math.floor(random() * longest);
    return Array.from({ length }, () => pick(kinds, random()));
  };
  return Object.fromEntries(services.map((service) => [service, plan()]));
}

type Choice = readonly [Fault, ...Fault[]];

const seededFaults: Choice = [
  { kind: 'pass' },
  { kind: 'reset', when: 'before' },
  { kind: 'reset', when: 'after' },
  { kind: 'cut' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502, body: '<html>bad gateway</html>' },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 503, retryAfter: 0 },
  { kind: 'status', status: 504 },
  { kind: 'status', status: 429, retryAfter: 1 },
  { kind: 'status', status: 429, retryAfter: { dateInSeconds: 1 } },
  { kind: 'status', status: 408 },
  { kind: 'status', status: 400 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 503, retryAfter: { text: 'soon' } },
  { kind: 'malformed' },
  { kind: 'empty' },
  { kind: 'redirect', to: 'same host' },
  { kind: 'redirect', to: 'other host' },
  { kind: 'expiry', value: 'tomorrow' },
  { kind: 'expiry', value: undefined },
  { kind: 'token from the future' },
  { kind: 'expired token' },
  { kind: 'pending' },
  { kind: 'echo', status: 400 },
  { kind: 'echo', status: 500 },
];

function pick(faults: Choice, share: number): Fault {
  return faults[Math.floor(share * faults.length)] ?? faults[0];
}

/** Mulberry32: small, and good enough to choose faults by. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
