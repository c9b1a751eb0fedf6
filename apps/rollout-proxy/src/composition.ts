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
import { createAdapterBook, createAdapters, createLoadedAdapters, startAdapterRelease } from './features/adapters';
import { alone } from './features/fleet';
import { createIdempotentAnswers, createSeal } from './features/idempotency';
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
import { createMetrics, createWeightUpdates } from './features/system';
import { createScoring } from './features/scoring';
import { createExportService } from './features/trajectories';
import { lockFolder } from './journal/folder-lock';
import type { JoinedReplicas } from './replicas/join-replicas';
import { openReplicas, type Replicas } from './replicas/open-replicas';
import type { ModelServing, SetUpServing } from './serving';
import { openStoredFiles, prepareFolder, sessionFilesOptions } from './stored-files';
import { openTracing } from './tracing/open-tracing';
import { openWorker } from './workers/open-worker';
import type { WorkerLink } from './workers/worker-link';

export interface ServerOptions {
  readonly config: Config;
  readonly setUpServing: SetUpServing;
  readonly logger: Logger;
  /** The folder of the built viewer; missing if it was not built. */
  readonly uiFolder?: string | undefined;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Missing unless this process is one of several workers. */
  readonly worker?: WorkerLink | undefined;
}

export interface Server {
  readonly http: HttpServer;
  readonly adminKey: AdminKey;
  readonly modelName: string;
  readonly hasUserInterface: boolean;
}

/** Starts the service. Stored sessions are restored before the first request. */
export async function startServer(options: ServerOptions, add: StartResource): Promise<Server> {
  const { config, logger, worker, clock = systemClock } = options;
  if (worker === undefined) {
    await prepareFolder(config.dataFolder);
    add(await lockFolder(config.dataFolder));
  }
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
    currentAdapter: (name) => core.adapterBook.current(name),
    noteAdapterLoad: (adapter) => core.adapterBook.addLoad(adapter),
    logger,
    add,
  });
  add(startSessionSweeper({ store: core.store, service: core.sessions, times: config.sessions, clock, logger }));
  const { joined, fleet } = core;
  const metrics = createMetrics({
    store: core.store,
    ledger: core.ledger,
    engine: serving.engine,
    adapters: serving.adapters,
    readAll: worker && (() => worker.calls.readAllMetrics()),
  });
  worker?.answer({ readMetrics: () => metrics.collect() });
  const updateWeights = createWeightUpdates({
    engine: serving.engine,
    weightVersion: core.weightVersion,
    weights: serving.weights,
    fleet,
    folder: path.join(config.dataFolder, 'weights'),
  });
  const { adapters, loadedAdapters } = serveAdapters({ ...options, clock }, core, serving, add);
  const uiFolder = config.hasUserInterface ? options.uiFolder : undefined;
  const app = createApp({
    ...core,
    uiFolder,
    ...serving,
    updateWeights,
    adapters,
    loadedAdapters,
    withAdapter: (given, start) => adapters.during(given, start),
    scoring: createScoring(serving.scorers),
    exports: createExportService(core.sessions, serving.checkDrift),
    affinity: joined?.affinity,
    isForwarded: joined?.isForwarded,
    notReady: () => serving.notReady() ?? joined?.notReady(),
    watch: createSessionWatch({
      store: core.store,
      present: (session) => presentSession(session, core.digests),
      clock,
      fleet,
    }),
    limits,
    capacity: config.capacity,
    prices: config.prices,
    nowMs: () => clock.nowMs(),
    metrics,
    startedAtMs: clock.nowMs(),
    logger,
  });
  const hasUserInterface = uiFolder !== undefined;
  const http = await listen({ app, joined, serving, hasUserInterface, ...options }, add);
  logger.info({ url: http.url, model: serving.modelName }, 'listening');
  return { http, adminKey, modelName: serving.modelName, hasUserInterface };
}

/** Adapters that sessions do not need are unloaded from then on. */
function serveAdapters(
  { config, clock, logger }: Pick<CoreOptions, 'config' | 'clock' | 'logger'>,
  { adapterBook: book, store, fleet }: Pick<Awaited<ReturnType<typeof createCore>>, 'adapterBook' | 'store' | 'fleet'>,
  { adapters: engine, engine: gate }: ModelServing,
  add: StartResource,
) {
  const { adapterIdleMs: idleMs, limits } = config;
  const loaded = engine && createLoadedAdapters({ engine, book, store, fleet, max: limits.adapters, idleMs });
  if (loaded !== undefined) add(startAdapterRelease({ loaded, idleMs, clock, logger }));
  const adapters = createAdapters({
    engine,
    loaded,
    book,
    fleet,
    endThoseWith: (name, mode) => gate.endThoseWith(name, mode),
  });
  return { adapters, loadedAdapters: loaded };
}

interface ListenOptions extends ServerOptions {
  readonly app: RequestListener;
  readonly joined: JoinedReplicas | undefined;
  readonly serving: ModelServing;
  readonly hasUserInterface: boolean;
}

/** A replica has its lease before it is ready, and gives it up after its last answer. */
async function listen(
  { app, joined, serving, hasUserInterface, worker, config }: ListenOptions,
  add: StartResource,
): Promise<HttpServer> {
  if (joined !== undefined) add(joined.lease);
  const { host, port, replicas } = config;
  const parts = { engine: serving.engine, weights: serving.weights };
  const listenShared = async (): Promise<HttpServer> => {
    const isShared = worker !== undefined;
    return add(await listenHttp({ listener: app, host, port, portSetting: 'ROLLOUT_PORT', isShared }));
  };
  if (joined === undefined) return listenShared();
  if (worker !== undefined) {
    // The others need an address of this worker alone. It has its place before clients reach it.
    const own = add(await listenHttp({ listener: app, host: replicas === undefined ? loopback : host, port: 0 }));
    const address = replicas?.address === undefined ? own.url : withPort(replicas.address, own.port);
    await joined.start({ address, ...parts });
    const http = await listenShared();
    add(joined.handOver);
    const first = { url: http.url, modelName: serving.modelName, hasUserInterface };
    worker.tell({ kind: 'ready', address, first });
    return http;
  }
  const http = await listenShared();
  await joined.start({ address: replicas?.address ?? http.url, ...parts });
  add(joined.handOver);
  return http;
}

const loopback = '127.0.0.1';

function withPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.origin;
}

interface CoreOptions extends ServerOptions {
  readonly clock: Clock;
  readonly add: StartResource;
  readonly onEnded: ((session: Session) => void) | undefined;
}

/** Creates sessions, keys, capacity and exports; the model is separate. */
async function createCore(options: CoreOptions, adminKey: string) {
  const { config, logger, clock, onEnded, worker } = options;
  const { limits } = config;
  const nowMs = () => clock.nowMs();
  const store = createSessionStore();
  const replicas = await openShared(options, adminKey);
  if (replicas !== undefined) worker?.on('ended', ({ address }) => endLease(replicas, address, logger));
  const { journals, ledger, storedAnswers, weightVersion, adapters } = replicas ?? (await openFiles(options, store));
  const browserSessions = createBrowserSessions({
    nowMs,
    onChange: worker && ((session) => worker.tell({ kind: 'browser', session })),
  });
  worker?.on('browser', ({ session }) => browserSessions.note(session));
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
  // Replicas on other machines do not know it.
  const isBrowser = config.replicas === undefined ? authenticator.isBrowser : undefined;
  const adapterBook = createAdapterBook(adapters);
  const joined = replicas?.join({
    store,
    sessions,
    mayRead,
    isBrowser,
    maxBodyBytes: maxControlBodyBytes,
    onRejoin: () => adapterBook.forgetAll(),
  });
  const shared = { browserSessions, weightVersion, adapterBook, store, authenticator, ledger, sessions, answers };
  return { ...shared, digests: createDigests(), joined, fleet: joined?.fleet ?? alone };
}

/** `undefined` for a process that has its sessions for itself. */
async function openShared(options: CoreOptions, adminKey: string): Promise<Replicas | undefined> {
  const { config, worker: link, logger } = options;
  if (config.replicas !== undefined) return openReplicas({ ...options, replicas: config.replicas, adminKey });
  return link && openWorker({ config, adminKey, link, logger });
}

function endLease(replicas: Replicas, address: string, logger: Logger): void {
  // Otherwise it ends when it expires.
  replicas.endLease(address).catch((error: unknown) => {
    logger.warn({ address, error }, 'the lease of a worker that has ended could not be ended');
  });
}

/** Opens the files of one process in its data folder. */
async function openFiles({ config, logger, clock }: CoreOptions, store: SessionStore) {
  const {
    openLedger,
    answers: storedAnswers,
    weightVersion,
    adapters,
  } = await openStoredFiles({ config, logger, clock });
  const nextId = (taskId: string) => store.nextId(taskId);
  return {
    journals: await openSessionJournals({ ...sessionFilesOptions(config, logger), nextId }),
    ledger: openLedger(store.unfinished),
    storedAnswers,
    weightVersion,
    adapters,
  };
}

function readKeyIsAdminKey(): AppError {
  return new AppError('invalid_request', 'ROLLOUT_READ_KEY is the admin key; set another one, or none.', {
    reason: 'read_key_is_admin_key',
  });
}
