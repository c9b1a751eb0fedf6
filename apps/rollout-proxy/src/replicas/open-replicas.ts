import { AppError } from '@weir/foundation';
import { createJsonBodyReader, type Logger, type Resource, type StartResource } from '@weir/service-kit';
import type { RequestHandler } from 'express';
import type { Config, ReplicasConfig } from '../config';
import type { CapacityLedger } from '../features/capacity';
import type { Fleet } from '../features/fleet';
import type { AnswerStore } from '../features/idempotency';
import type { SessionJournals, SessionService, SessionStore } from '../features/sessions';
import type { EngineGate, EngineWeights, WeightVersion } from '../features/system';
import { createAffinity } from './affinity';
import { openDatabase, type Database } from './database';
import { createFleet } from './fleet';
import { createLease } from './lease';
import { createPostgresAnswers } from './postgres-answers';
import { createPostgresCapacity } from './postgres-capacity';
import { createPostgresSessionJournals } from './postgres-session-journals';
import { createRecordWriter } from './record-writer';
import { adminKeyDigest, createReplicaMarks } from './replica-mark';
import { createSessionPlaces } from './session-places';
import { openSharedWeights } from './shared-weights';
import { createTables, knownVersion } from './tables';

/** The database counterparts of the files of a single process. */
export interface Replicas {
  readonly journals: SessionJournals;
  readonly ledger: CapacityLedger;
  readonly storedAnswers: AnswerStore;
  readonly weightVersion: WeightVersion;
  /** Connects requests with the sessions of all replicas. */
  join(parts: JoinParts): JoinedReplicas;
}

export interface JoinParts {
  readonly store: SessionStore;
  readonly sessions: SessionService;
  readonly mayRead: (key: string) => boolean;
  readonly maxBodyBytes: number;
}

export interface JoinedReplicas {
  readonly affinity: RequestHandler;
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

export interface OpenReplicasOptions {
  readonly config: Config;
  readonly replicas: ReplicasConfig;
  readonly adminKey: string;
  readonly logger: Logger;
  readonly add: StartResource;
}

/** Rejects with `unavailable` where the database cannot be used, or `invalid_request` where others have another key. */
export async function openReplicas(options: OpenReplicasOptions): Promise<Replicas> {
  const { config, replicas, adminKey, logger } = options;
  const database = options.add(await openDatabase({ url: replicas.databaseUrl.reveal(), logger }));
  await prepare(database, adminKey);
  const lease = createLease({ database, leaseMs: replicas.leaseMs, logger });
  const weights = await openSharedWeights(database);
  const write = createRecordWriter(database, lease);
  const maxSessions = config.limits.sessions;
  const journals = createPostgresSessionJournals({ database, lease, write, maxSessions, logger });
  return {
    journals,
    ledger: createPostgresCapacity({ database, lease, limit: config.capacity, grantMs: config.grantMs }),
    storedAnswers: createPostgresAnswers(database),
    weightVersion: weights.version,
    join: ({ store, sessions, mayRead, maxBodyBytes }) => {
      const marks = createReplicaMarks(adminKey);
      const places = createSessionPlaces({ database, lease, journals, store, sessions, logger });
      const readBody = createJsonBodyReader({ maxBytes: maxBodyBytes });
      const leaveAll = (): void => {
        for (const session of store.all()) sessions.leave(session);
      };
      const adoptOrphans = (): void => {
        places
          .adoptOrphans()
          .catch((error: unknown) => logger.warn({ error }, 'sessions without an owner could not be looked for'));
      };
      return {
        affinity: createAffinity({ lease, places, marks, mayRead, readBody }),
        fleet: createFleet({ lease, marks, adminKey, weights, places }),
        notReady: () => (lease.isHeld() && !lease.isDraining ? undefined : 'This replica has no lease.'),
        lease,
        start: async ({ address, engine, weights: engineWeights }) => {
          weights.attach(engine, engineWeights);
          const events = { onLost: leaveAll, onTaken: () => weights.apply(), onOrphans: adoptOrphans };
          await lease.start(replicas.address ?? address, events);
        },
        handOver: {
          name: 'sessions that are handed over',
          stop: async () => {
            lease.drain();
            const idle = store.all().filter((session) => isIdle(session));
            for (const session of idle) sessions.leave(session);
            await database.query('UPDATE weir_rollout.session SET owner = NULL WHERE owner = $1 AND id = ANY ($2)', [
              lease.number,
              idle.map(({ id }) => id),
            ]);
          },
        },
      };
    },
  };
}

/** The others are handed over when their calls are done. */
function isIdle(session: ReturnType<SessionStore['all']>[number]): boolean {
  const { state, runningCompletions } = session.status();
  return runningCompletions === 0 && state !== 'ending';
}

async function prepare(database: Database, adminKey: string): Promise<void> {
  const version = await createTables(database).catch((cause: unknown) => {
    throw new AppError('unavailable', 'The database (ROLLOUT_DATABASE_URL) cannot be used.', {
      reason: 'database_unavailable',
      cause,
    });
  });
  if (version !== knownVersion) {
    throw new AppError('unavailable', `The database (ROLLOUT_DATABASE_URL) is of another version: ${version}.`, {
      reason: 'database_version_unknown',
    });
  }
  await database.query(
    `INSERT INTO weir_rollout.setting (name, value) VALUES ('admin_key', to_jsonb($1::text)) ON CONFLICT DO NOTHING`,
    [adminKeyDigest(adminKey)],
  );
  const { rows } = await database.query(`SELECT value FROM weir_rollout.setting WHERE name = 'admin_key'`);
  if (rows[0]?.value === adminKeyDigest(adminKey)) return;
  throw new AppError('invalid_request', 'ROLLOUT_ADMIN_KEY is not that of the other replicas.', {
    reason: 'admin_key_differs',
  });
}
