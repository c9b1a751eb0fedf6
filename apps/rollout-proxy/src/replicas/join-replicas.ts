import { createJsonBodyReader, type Logger, type Resource } from '@weir/service-kit';
import type { Request, RequestHandler } from 'express';
import type { Fleet } from '../features/fleet';
import type { SessionService, SessionStore } from '../features/sessions';
import type { EngineGate, EngineWeights } from '../features/system';
import { createAffinity, markOf } from './affinity';
import { createFleet } from './fleet';
import type { OpenLease } from './lease';
import { createReplicaMarks } from './replica-mark';
import type { SessionDirectory } from './session-directory';
import { createSessionPlaces } from './session-places';
import type { SharedWeights } from './shared-weights';

export interface JoinParts {
  readonly store: SessionStore;
  readonly sessions: SessionService;
  readonly mayRead: (key: string) => boolean;
  /** Whether a request comes from a browser that has signed in at any of the processes. Default: no, they do not know. */
  readonly isBrowser?: ((req: Request) => boolean) | undefined;
  readonly maxBodyBytes: number;
  /** Called when this process may have missed what others have told each other. */
  readonly onRejoin: () => void;
}

export interface JoinedReplicas {
  readonly affinity: RequestHandler;
  /** Whether another replica sends the answer on, with the headers that all answers have. */
  readonly isForwarded: (req: Request) => boolean;
  readonly fleet: Fleet;
  notReady(): string | undefined;
  /** Takes the lease: from then on this process owns sessions. To be stopped after the server, which frees them. */
  readonly lease: Resource;
  start(parts: {
    readonly address: string;
    readonly engine: EngineGate;
    readonly weights: EngineWeights | undefined;
  }): Promise<void>;
  /** Hands over idle sessions; stop it before the server. */
  readonly handOver: Resource;
}

export interface JoinOptions {
  readonly lease: OpenLease;
  readonly directory: SessionDirectory;
  readonly weights: SharedWeights;
  readonly adminKey: string;
  /** Whether another process is left to take sessions over when this one stops. */
  readonly hasHeirs: () => boolean;
  readonly logger: Logger;
}

/** Connects the requests of a process with the sessions of all replicas. */
export function joinReplicas(
  options: JoinOptions,
  { store, sessions, mayRead, isBrowser = () => false, maxBodyBytes, onRejoin }: JoinParts,
): JoinedReplicas {
  const { lease, directory, weights, adminKey, logger } = options;
  const marks = createReplicaMarks(adminKey);
  const places = createSessionPlaces({ directory, lease, store, sessions, logger });
  const readBody = createJsonBodyReader({ maxBytes: maxBodyBytes });
  const leaveAll = (): void => {
    for (const session of store.all()) sessions.leave(session);
  };
  const onTaken = (): Promise<void> => {
    onRejoin();
    return weights.apply();
  };
  const adoptOrphans = (): void => {
    places
      .adoptOrphans()
      .catch((error: unknown) => logger.warn({ error }, 'sessions without an owner could not be looked for'));
  };
  return {
    affinity: createAffinity({ lease, places, marks, mayRead, isBrowser, readBody }),
    isForwarded: (req) => markOf(req, marks) !== undefined,
    fleet: createFleet({ lease, marks, adminKey, weights, places }),
    notReady: () => (lease.isHeld() && !lease.isDraining ? undefined : 'This replica has no lease.'),
    lease,
    start: async ({ address, engine, weights: engineWeights }) => {
      weights.attach(engine, engineWeights);
      await lease.start(address, { onLost: leaveAll, onTaken, onOrphans: adoptOrphans });
    },
    handOver: {
      name: 'sessions that are handed over',
      stop: async () => {
        if (!options.hasHeirs()) return;
        lease.drain();
        const idle = store.all().filter((session) => isIdle(session));
        for (const session of idle) sessions.leave(session);
        await directory.release(idle.map(({ id }) => id));
      },
    },
  };
}

/** The others are handed over when their calls are done. */
function isIdle(session: ReturnType<SessionStore['all']>[number]): boolean {
  const { state, runningCompletions } = session.status();
  return runningCompletions === 0 && state !== 'ending';
}
