import type { FakeService } from './fake-types';

/** Seconds from now as a number or as an HTTP date, or any text. */
export type RetryAfter = number | { readonly dateInSeconds: number } | { readonly text: string };

/** The fault of one request. */
export type Fault =
  | { readonly kind: 'pass' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: RetryAfter; readonly body?: string }
  /** `before`: nothing is read or issued. `after`: the request takes effect, but the response is lost. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** Waits for `release()` or until the client disconnects. */
  | { readonly kind: 'hold' }
  /** Half of the promised bytes, then the connection ends. */
  | { readonly kind: 'cut' }
  /** 200 with a complete body that is not JSON. */
  | { readonly kind: 'malformed' }
  /** 200 and JSON without the expected fields. */
  | { readonly kind: 'empty' }
  /** 200 with the expected fields and this many bytes of padding. */
  | { readonly kind: 'oversized'; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly to: 'same host' | 'other host'; readonly status?: number }
  /** Replaces `expires_in` and `expireTime`; `undefined` omits them. */
  | { readonly kind: 'expiry'; readonly value: unknown }
  /** The issuer returns such a token; the other services reject one. */
  | { readonly kind: 'token from the future' }
  | { readonly kind: 'expired token' }
  /** An error that quotes the request including its secrets. */
  | { readonly kind: 'echo'; readonly status: number }
  /** 403 of the issuer while the job is being registered. */
  | { readonly kind: 'pending' };

/** Faults of the first requests of each service; later requests pass. */
export type FaultPlans = Readonly<Partial<Record<FakeService, readonly Fault[]>>>;

export function statuses(...list: readonly number[]): readonly Fault[] {
  return list.map((status) => ({ kind: 'status', status }));
}

export interface SeededFaultOptions {
  /** Services that get a plan. Default: the four that issue tokens. */
  readonly services?: readonly FakeService[];
  /** The longest plan of a service. Default 7, one more than the attempts of a client. */
  readonly longest?: number;
  /** Whether requests may be held. Default no: a held request takes the whole deadline of a client. */
  readonly holds?: boolean;
}

/** Random plans that are the same for the same seed. About half of the services have no fault. */
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

/** This is Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
