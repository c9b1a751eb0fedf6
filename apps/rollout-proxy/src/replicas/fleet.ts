import { setTimeout as sleepFor } from 'node:timers/promises';
import { createApiClient, isApiError, type ApiClient, type ApiError } from '@weir/api-client';
import { AppError } from '@weir/foundation';
import type { Paths } from '@weir/rollout-contract/paths';
import type { Fleet } from '../features/fleet';
import { followReplicas } from './follow-replicas';
import type { Lease, Replica } from './lease';
import { replicaUnreachable } from './replica-errors';
import { markHeader, type ReplicaMarks } from './replica-mark';
import type { SessionPlaces } from './session-places';
import type { SharedWeights } from './shared-weights';

export interface FleetOptions {
  readonly lease: Lease;
  readonly marks: ReplicaMarks;
  readonly adminKey: string;
  readonly weights: SharedWeights;
  readonly places: SessionPlaces;
}

const retryMs = 250;
/** An answer may wait until generations have finished. */
const answerLimit = { timeoutMs: 620_000, timeoutIncludesBody: true };
const streamLimit = { timeoutMs: 5_000, timeoutIncludesBody: false };

/** The replicas that have a lease, as one. */
export function createFleet({ lease, marks, adminKey, weights, places }: FleetOptions): Fleet {
  const connect = ({ number, address }: Replica, limit: typeof answerLimit | typeof streamLimit): ApiClient<Paths> =>
    createApiClient<Paths>({
      baseUrl: address,
      token: () => adminKey,
      ...limit,
      fetch: (request) => {
        const { pathname, search } = new URL(request.url);
        const marked = { method: request.method, target: `${pathname}${search}` };
        request.headers.set(markHeader, marks.create({ from: lease.number, to: number }, marked));
        return fetch(request);
      },
    });

  /** `undefined` once the replica has no lease any more: nothing of it counts then. */
  const askOne = async <T>(replica: Replica, ask: (client: ApiClient<Paths>) => Promise<T>) => {
    const deadlineMs = performance.now() + 1.25 * lease.leaseMs + 5_000;
    for (;;) {
      try {
        return [await ask(connect(replica, answerLimit))];
      } catch (error) {
        if (isApiError(error) && error.status === 400) throw refused(error);
        const isLeft = (await lease.others()).some(({ number }) => number === replica.number);
        if (!isLeft) return [];
        if (performance.now() > deadlineMs) throw replicaUnreachable(error);
        await sleepFor(retryMs);
      }
    }
  };

  const askOthers: Fleet['askOthers'] = async (ask) => {
    lease.assertHeld();
    const others = await lease.others();
    return (await Promise.all(others.map((replica) => askOne(replica, ask)))).flat();
  };

  return {
    askOthers,
    gather: async (ask) => {
      const answers = await askOthers(ask);
      // Sessions of a replica that is gone have no owner now.
      await places.adoptOrphans();
      return answers;
    },
    follow: (listener, signal) =>
      followReplicas({ lease, listener, signal, connect: (replica) => connect(replica, streamLimit) }),
    replicas: async () => [{ number: lease.number, address: lease.address }, ...(await lease.others())],
    refresh: () => weights.apply(),
    settle: async (pause) => {
      await weights.storePause(pause);
      const { version, served } = weights.version.stored;
      const body = { pause: pause ?? null, version, weights: served ?? null };
      await askOthers((client) => client.POST('/replicas/generation', { body }));
    },
  };
}

/** What another replica finds wrong with a request is wrong here, too. */
function refused({ message, reason, cause }: ApiError): AppError {
  return new AppError('invalid_request', message, { ...(reason === undefined ? {} : { reason }), cause });
}
