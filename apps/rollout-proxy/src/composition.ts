import { mkdir } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import { parseExactJson } from '@weir/rollout-engine';
import { createJsonBodyReader, listenHttp, type HttpServer, type Logger, type StartResource } from '@weir/service-kit';
import { createApp, maxControlBodyBytes } from './app';
import { systemClock, type Clock } from './clock';
import type { Config } from './config';
import {
  createAuthenticator,
  createBrowserSessions,
  createNamedKeyDerivation,
  resolveAdminKey,
  type AdminKey,
} from './features/access';
import { createCapacityLedger } from './features/capacity';
import { alone } from './features/fleet';
import { createIdempotentAnswers, createSeal, toAnswerStore, type StoredAnswer } from './features/idempotency';
import { createSessionWatch } from './features/reading';
import {
  createDigests,
  createSessionService,
  createSessionStore,
  openSessionJournals,
  presentSession,
  startSessionSweeper,
  type Session,
  type SessionStore,
} from './features/sessions';
import { createMetrics, createWeightUpdates, openWeightVersion } from './features/system';
import { createScoring } from './features/scoring';
import { createExportService } from './features/trajectories';
import { openDurableMap } from './journal/durable-map';
import { lockFolder } from './journal/folder-lock';
import { createFileLimit } from './journal/file-limit';
import { openReplicas, type JoinedReplicas } from './replicas/open-replicas';
import type { ModelServing, SetUpServing } from './serving';
import { openTracing } from './tracing/open-tracing';

export interface ServerOptions {
  readonly config: Config;
  readonly setUpServing: SetUpServing;
  readonly logger: Logger;
  /** The folder of the built viewer; missing if it was not built. */
  readonly uiFolder?: string | undefined;
  /** Default: the system's clock. */
  readonly clock?: Clock;
}

export interface Server {
  readonly http: HttpServer;
  readonly adminKey: AdminKey;
  readonly modelName: string;
  readonly hasUserInterface: boolean;
}

const maxOpenFiles = 64;
const maxStoredAnswers = 10_000;

/** Starts the service. Stored sessions are restored before the first request. */
export async function startServer(options: ServerOptions, add: StartResource): Promise<Server> {
  const { config, logger, clock = systemClock } = options;
  await prepareFolder(config.dataFolder);
  add(await lockFolder(config.dataFolder));
  const adminKey = await resolveAdminKey({ given: config.adminKey, host: config.host, dataFolder: config.dataFolder });
  if (config.readKey?.reveal() === adminKey.value.reveal()) throw readKeyIsAdminKey();
  const tracing =
    config.tracing && add(openTracing({ config: config.tracing, provider: config.engine.kind, clock, logger }));
  const core = await createCore({ ...options, clock, add, onEnded: tracing?.traceSession }, adminKey.value.reveal());
  await core.sessions.restore();
  const { limits } = config;
  const serving = await options.setUpServing({
    config: config.engine,
    limits,
    matching: config.matching,
    recording: config.recording,
    dataFolder: config.dataFolder,
    authenticate: core.authenticator.sessionGuard,
    affinity: core.joined?.affinity,
    traceCall: tracing?.traceCall,
    readBody: createJsonBodyReader({ maxBytes: limits.bodyBytes, parse: parseExactJson }),
    initialWeights: core.weightVersion.stored,
    logger,
    add,
  });
  add(startSessionSweeper({ store: core.store, service: core.sessions, times: config.sessions, clock, logger }));
  const { joined, fleet } = core;
  const metrics = createMetrics({ store: core.store, ledger: core.ledger, engine: serving.engine });
  const updateWeights = createWeightUpdates({
    engine: serving.engine,
    weightVersion: core.weightVersion,
    weights: serving.weights,
    fleet,
    folder: path.join(config.dataFolder, 'weights'),
  });
  const uiFolder = config.hasUserInterface ? options.uiFolder : undefined;
  const app = createApp({
    ...core,
    uiFolder,
    ...serving,
    updateWeights,
    scoring: createScoring(serving.scorers),
    exports: createExportService(core.sessions, serving.checkDrift),
    affinity: joined?.affinity,
    notReady: () => serving.notReady() ?? joined?.notReady(),
    watch: createSessionWatch({
      store: core.store,
      present: (session) => presentSession(session, core.digests),
      clock,
    }),
    limits,
    capacity: config.capacity,
    nowMs: () => clock.nowMs(),
    metrics,
    startedAtMs: clock.nowMs(),
    logger,
  });
  const http = await listen({ app, joined, serving, ...options }, add);
  logger.info({ url: http.url, model: serving.modelName }, 'listening');
  return { http, adminKey, modelName: serving.modelName, hasUserInterface: uiFolder !== undefined };
}

interface ListenOptions extends ServerOptions {
  readonly app: RequestListener;
  readonly joined: JoinedReplicas | undefined;
  readonly serving: ModelServing;
}

/** A replica has its lease before it is ready, and gives it up after its last answer. */
async function listen({ app, joined, serving, config }: ListenOptions, add: StartResource): Promise<HttpServer> {
  if (joined !== undefined) add(joined.lease);
  const { host, port } = config;
  const http = add(await listenHttp({ listener: app, host, port, portSetting: 'ROLLOUT_PORT' }));
  if (joined !== undefined) {
    await joined.start({ address: http.url, engine: serving.engine, weights: serving.weights });
    add(joined.handOver);
  }
  return http;
}

interface CoreOptions extends ServerOptions {
  readonly clock: Clock;
  readonly add: StartResource;
  readonly onEnded: ((session: Session) => void) | undefined;
}

/** Creates sessions, keys, capacity and exports; the model is separate. */
async function createCore(options: CoreOptions, adminKey: string) {
  const { config, logger, clock, onEnded } = options;
  const { limits } = config;
  const nowMs = () => clock.nowMs();
  const store = createSessionStore();
  const replicas = config.replicas && (await openReplicas({ ...options, replicas: config.replicas, adminKey }));
  const { journals, ledger, storedAnswers, weightVersion } = replicas ?? (await openFiles(options, store));
  const browserSessions = createBrowserSessions(nowMs);
  const authenticator = createAuthenticator<Session>({
    adminKey,
    readKey: config.readKey?.reveal(),
    browserSessions,
    findSession: store.findByKey,
    sessionIdFrom: (session) => session.id,
  });
  const sessions = createSessionService({
    store,
    journals,
    ledger,
    isServiceKey: authenticator.mayRead,
    deriveNamedKey: createNamedKeyDerivation(adminKey),
    limits,
    endWaitMs: config.sessions.endWaitMs,
    matching: config.matching,
    clock,
    logger,
    onEnded,
  });
  const answers = createIdempotentAnswers({
    stored: storedAnswers,
    seal: createSeal(adminKey),
    retentionMs: config.idempotencyMs,
    nowMs,
    logger,
  });
  const { mayRead } = authenticator;
  const joined = replicas?.join({ store, sessions, mayRead, maxBodyBytes: maxControlBodyBytes });
  const shared = { browserSessions, weightVersion, store, authenticator, ledger, sessions, answers };
  return { ...shared, digests: createDigests(), joined, fleet: joined?.fleet ?? alone };
}

/** Opens the files of one process in its data folder. */
async function openFiles({ config, logger, clock }: CoreOptions, store: SessionStore) {
  const { dataFolder, journalSync: sync } = config;
  const nowMs = () => clock.nowMs();
  const fileLimit = createFileLimit(maxOpenFiles);
  const file = (name: string) => path.join(dataFolder, name);
  const shared = { sync, fileLimit, nowMs, logger };
  const grants = await openDurableMap<true>({
    ...shared,
    file: file('grants.journal'),
    // The limit is never reached: the ledger limits the grants.
    maxEntries: config.capacity + 1,
  });
  const answers = { ...shared, file: file('answers.journal'), maxEntries: maxStoredAnswers };
  const { unfinished: unfinishedSessions } = store;
  const nextId = (taskId: string) => store.nextId(taskId);
  return {
    journals: await openSessionJournals({ folder: file('sessions'), sync, fileLimit, nextId, logger }),
    ledger: createCapacityLedger({
      limit: config.capacity,
      grantMs: config.grantMs,
      nowMs,
      grants,
      unfinishedSessions,
    }),
    storedAnswers: toAnswerStore(await openDurableMap<StoredAnswer>(answers)),
    weightVersion: await openWeightVersion({ ...shared, file: file('weight-version.journal') }),
  };
}

function readKeyIsAdminKey(): AppError {
  return new AppError('invalid_request', 'ROLLOUT_READ_KEY is the admin key; set another one, or none.', {
    reason: 'read_key_is_admin_key',
  });
}

async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new AppError('unavailable', `The folder ${folder} (ROLLOUT_DATA_DIR) cannot be written to.`, {
      reason: 'data_folder_unusable',
      cause,
    });
  }
}
