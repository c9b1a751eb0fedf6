import path from 'node:path';
import { createPermits, type Spawner, type StateStore } from '@weir/workflow-engine';
import { createWorkerLocks, freeSpace, parseDatabaseUrl, type Database } from '@weir/workflow-db';
import type { Secret } from '@weir/service-kit';
import type { DagParsers } from './dag-parser';
import { createExecution } from './execution';
import { createPrismaAgentStores, type AgentStores } from './features/agent-settings';
import { createPrismaSessionRepository, type SessionRepository } from './features/agent';
import { createPrismaCalendarRepository, type CalendarRepository } from './features/calendars';
import { createPrismaBackfillRepository, type BackfillRepository } from './features/backfill';
import { createPrismaDagRunRepository, type DagRunRepository } from './features/runs';
import { createPrismaDagFlagRepository, type DagFlagRepository } from './features/dags';
import { createPrismaDagRevisionRepository, type DagRevisionRepository } from './features/dag-revisions';
import { createPrismaAuditLogRepository, type AuditLogRepository } from './features/audit';
import { createPrismaEventLogRepository, type EventLogRepository } from './features/event-log';
import { createPrismaQueueDriver, type QueueDriver } from './features/queue/store';
import { createPrismaRunIndex, type RunIndex } from './features/run-search';
import { prismaDagNames, type RetentionDependencies } from './features/retention';
import {
  createLockHeartbeat,
  createLoopHeartbeat,
  createPrismaWorkerRepository,
  type CreateHeartbeat,
  type WorkerRepository,
} from './features/worker';
import { createPrismaSchedulerStateRepository, type SchedulerStateRepository } from './features/scheduler';
import { createPrismaProfileRepository, type ProfileRepository } from './features/profiles';
import { createPrismaSecretRepository, type SecretRepository } from './features/secrets';
import { createPrismaSecondFactorRepository, type SecondFactorRepository } from './features/second-factor';
import { createPrismaGitSyncStore, type GitSyncStore } from './features/git-sync';
import {
  createOutboxSignal,
  createStepSubscriptions,
  createPrismaNotificationRepository,
  type OutboxSignal,
  type NotificationRepository,
} from './features/notifications';
import { createPrismaRemoteNodeRepository, type RemoteNodeRepository } from './features/remote-nodes';
import { createPrismaStateRepository } from './features/state';
import {
  createPrismaWebhookDeliveryRepository,
  createPrismaWebhookRepository,
  type WebhookDeliveryRepository,
  type WebhookRepository,
} from './features/webhooks';
import { createPrismaWorkerTokenRepository, type WorkerTokenRepository } from './features/worker-tokens';
import { createPrismaWorkspaceRepository, type WorkspaceRepository } from './features/workspaces';
import type { SealedRows, Sealer } from './encryption';
import { createDatabaseCheck, type DatabaseCheck } from './features/system';
import { createThreadHeartbeat } from './heartbeat-thread';
import type { JsRunner } from './js-run';
import { createLogSearcher, type LogSearcher } from './features/logs/search/log-searcher';
import type { OutputEvaluator } from './output-thread';
import type { ObjectStorage, RunFiles } from './run-files';
import { createListeners, type Listeners } from './adapters/listeners';
import type { RunChange } from './adapters/run-changes';
import type { StepIsolationState } from './features/worker/step-isolation';

/** Provides the stores of the features, and the threads and processes that work for them. */
export interface Platform {
  readonly parsers: DagParsers;
  readonly outputEvaluator: OutputEvaluator;
  readonly logSearcher: LogSearcher;
  readonly runFiles: RunFiles;
  /** The bucket of logs and artifacts; missing where they are in folders. */
  readonly objects?: ObjectStorage | undefined;
  readonly jsRunner: JsRunner;
  /** Missing where no steps are executed. */
  readonly fileProgram?: string;
  /** Missing where this process starts the processes of steps itself. */
  readonly spawner?: Spawner;
  /** The isolation of the processes of steps; missing where none are started. */
  readonly stepIsolation?: StepIsolationState | undefined;
  readonly runs: DagRunRepository;
  readonly runIndex: RunIndex;
  /** Notified of each change of a run after this process has stored it. */
  readonly runChanges: Listeners<RunChange>;
  readonly flags: DagFlagRepository;
  readonly dagRevisions: DagRevisionRepository;
  readonly eventLog: EventLogRepository;
  readonly auditLog: AuditLogRepository;
  readonly webhooks: WebhookRepository;
  readonly webhookDeliveries: WebhookDeliveryRepository;
  readonly notifications: NotificationRepository;
  readonly remoteNodes: RemoteNodeRepository;
  readonly workerTokens: WorkerTokenRepository;
  readonly outboxSignal: OutboxSignal;
  readonly gitSync: GitSyncStore;
  readonly agentStores: AgentStores;
  readonly backfills: BackfillRepository;
  readonly agentSessions: SessionRepository;
  readonly queue: QueueDriver<never>;
  readonly workers: WorkerRepository;
  /** Whether processes of several machines may share the stores, and notify each other of queued runs. */
  readonly isShared: boolean;
  /** Given where the lease of a run depends on heartbeats. */
  readonly createHeartbeat?: CreateHeartbeat | undefined;
  readonly schedulerState: SchedulerStateRepository;
  readonly state: StateStore;
  readonly workspaces: WorkspaceRepository;
  readonly secrets: SecretRepository;
  readonly profiles: ProfileRepository & SealedRows;
  readonly secondFactors: SecondFactorRepository;
  /** Encrypts texts for the stores. */
  readonly sealer: Sealer;
  readonly calendars: CalendarRepository;
  readonly retained: Pick<RetentionDependencies, 'dagNamesAfter' | 'freeSpace'>;
  readonly checkDatabase: DatabaseCheck;
  readonly readRevision: Database['readRevision'];
}

export interface PlatformOptions extends Pick<Platform, 'stepIsolation' | 'sealer' | 'objects'> {
  readonly database: Database;
  readonly databaseUrl: Secret;
  readonly runFiles: RunFiles;
  /** After this many failures of workers, a run is given up. Default: 10. */
  readonly maxFailures?: number;
  /** The path of the bundled parse worker; the build puts the code of the other threads into the same folder. */
  readonly parserFile: string;
}

/** Further searches wait, so that processors are left to runs. */
const maxSearchThreads = 2;

/** Opens the stores in the database of this installation, and creates the threads of this process. */
export function createPlatform(options: PlatformOptions): Platform {
  const { database, parserFile, stepIsolation, sealer, runFiles, objects } = options;
  const besideParser = (name: string): string => path.join(path.dirname(parserFile), name);
  const runChanges = createListeners<RunChange>();
  const shared = shareDatabase({ ...options, runChanges }, besideParser('heartbeat-worker.js'));
  const { queue } = shared;
  const outboxSignal = createOutboxSignal();
  const stepSubscriptions = createStepSubscriptions();
  const runs = createPrismaDagRunRepository(database, queue, { outboxSignal, stepSubscriptions, runChanges });
  return {
    ...createExecution(parserFile),
    logSearcher: createLogSearcher({
      workerFile: besideParser('log-search-worker.js'),
      permits: createPermits(maxSearchThreads),
    }),
    runFiles,
    objects,
    stepIsolation,
    runs,
    runIndex: createPrismaRunIndex(database, runs),
    runChanges,
    outboxSignal,
    gitSync: createPrismaGitSyncStore(database),
    notifications: createPrismaNotificationRepository(database, stepSubscriptions),
    calendars: createPrismaCalendarRepository(database),
    remoteNodes: createPrismaRemoteNodeRepository(database),
    workerTokens: createPrismaWorkerTokenRepository(database),
    ...shared,
    flags: createPrismaDagFlagRepository(database),
    dagRevisions: createPrismaDagRevisionRepository(database),
    eventLog: createPrismaEventLogRepository(database),
    auditLog: createPrismaAuditLogRepository(database),
    webhooks: createPrismaWebhookRepository(database),
    webhookDeliveries: createPrismaWebhookDeliveryRepository(database),
    agentStores: createPrismaAgentStores(database),
    backfills: createPrismaBackfillRepository(database),
    agentSessions: createPrismaSessionRepository(database),
    schedulerState: createPrismaSchedulerStateRepository(database),
    state: createPrismaStateRepository(database),
    workspaces: createPrismaWorkspaceRepository(database),
    secrets: createPrismaSecretRepository(database),
    profiles: createPrismaProfileRepository(database),
    secondFactors: createPrismaSecondFactorRepository(database),
    sealer,
    retained: { dagNamesAfter: prismaDagNames(database), freeSpace: () => freeSpace(database) },
    checkDatabase: createDatabaseCheck(database),
    readRevision: database.readRevision,
  };
}

/** Lets processes that share the database know which of them are alive. */
function shareDatabase(
  { database, databaseUrl, maxFailures, runChanges }: PlatformOptions & Pick<Platform, 'runChanges'>,
  heartbeatFile: string,
): Pick<Platform, 'queue' | 'workers' | 'isShared' | 'createHeartbeat'> {
  const location = parseDatabaseUrl(databaseUrl.reveal());
  if (location.provider === 'postgresql') {
    return {
      isShared: true,
      queue: createPrismaQueueDriver(database, { maxFailures, runChanges }),
      workers: createPrismaWorkerRepository(database),
      createHeartbeat: (worker, logger) =>
        createThreadHeartbeat({ url: databaseUrl, workerFile: heartbeatFile, worker, logger }),
    };
  }
  const locks = createWorkerLocks(location.file);
  const workers = createPrismaWorkerRepository(database, locks.isAlive);
  return {
    isShared: false,
    queue: createPrismaQueueDriver(database, { isAlive: locks.isAlive, maxFailures, runChanges }),
    workers,
    createHeartbeat: (identity, logger) =>
      createLockHeartbeat(locks, identity.id, createLoopHeartbeat({ workers, identity, logger })),
  };
}
