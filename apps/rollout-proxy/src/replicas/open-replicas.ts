import { AppError } from '@weir/foundation';
import type { Logger, StartResource } from '@weir/service-kit';
import type { Config, ReplicasConfig } from '../config';
import type { AdapterStore } from '../features/adapters';
import type { CapacityLedger } from '../features/capacity';
import type { AnswerStore } from '../features/idempotency';
import type { SessionJournals } from '../features/sessions';
import type { WeightVersion } from '../features/system';
import { openDatabase, type Database } from './database';
import { joinReplicas, type JoinedReplicas, type JoinParts } from './join-replicas';
import { createLease } from './lease';
import { createPostgresAdapters } from './postgres-adapters';
import { createPostgresAnswers } from './postgres-answers';
import { createPostgresCapacity } from './postgres-capacity';
import { createPostgresGeneration } from './postgres-generation';
import { createPostgresSessionDirectory } from './postgres-session-directory';
import { createPostgresSessionJournals } from './postgres-session-journals';
import { createRecordWriter } from './record-writer';
import { adminKeyDigest } from './replica-mark';
import { openSharedWeights } from './shared-weights';
import { createTables, knownVersion } from './tables';

/** The counterparts of the files of a single process, where several processes share sessions. */
export interface Replicas {
  readonly journals: SessionJournals;
  readonly ledger: CapacityLedger;
  readonly storedAnswers: AnswerStore;
  readonly weightVersion: WeightVersion;
  readonly adapters: AdapterStore;
  /** Connects requests with the sessions of all replicas. */
  join(parts: JoinParts): JoinedReplicas;
  /** Ends the lease of another process of this machine, which has ended for certain. */
  endLease(address: string): Promise<void>;
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
  const weights = await openSharedWeights(createPostgresGeneration(database));
  const write = createRecordWriter(database, lease);
  const maxSessions = config.limits.sessions;
  const journals = createPostgresSessionJournals({ database, lease, write, maxSessions, logger });
  const directory = createPostgresSessionDirectory({ database, lease, journals });
  return {
    journals,
    ledger: createPostgresCapacity({ database, lease, limit: config.capacity, grantMs: config.grantMs }),
    storedAnswers: createPostgresAnswers(database),
    weightVersion: weights.version,
    adapters: createPostgresAdapters(database),
    join: (parts) => joinReplicas({ lease, directory, weights, adminKey, hasHeirs: () => true, logger }, parts),
    endLease: (address) => lease.end(address),
  };
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
