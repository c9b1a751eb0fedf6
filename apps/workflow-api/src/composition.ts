import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { RequestHandler } from 'express';
import { systemTimer, type Timer, type Clock } from '@weir/workflow-engine/model';
import type { Logger, Resource } from '@weir/service-kit';
import type { Dag } from '@weir/workflow-spec';
import { createScheduleTimes } from '@weir/workflow-spec/schedule';
import { systemClock } from './adapters/clock';
import { createListeners } from './adapters/listeners';
import { systemRandom, type RandomSource } from './adapters/random-source';
import type { QueueChange } from './adapters/run-changes';
import type { Bind } from './access/bind';
import type { Config } from './config';
import { createAgent } from './features/agent';
import { loadAgentSettings } from './features/agent-settings';
import { createAuditTrail, type AuditTrail } from './features/audit';
import { createCalendarBook, createCalendarCheck } from './features/calendars';
import { createBackfills } from './features/backfill';
import {
  createDagRuns,
  createRunStarter,
  createRunWaiter,
  type DagRunRepository,
  type DagRunService,
  type StartRun,
} from './features/runs';
import { createDagEditor, createDagFiles, createDagService, type DagFiles } from './features/dags';
import { createDocs } from './features/docs';
import { createEventRecorder } from './features/event-log';
import { createGitSync } from './features/git-sync';
import { createNotifications } from './features/notifications';
import { createRemoteNodes, type RemoteNodes } from './features/remote-nodes';
import { createRunIndexer } from './features/run-search';
import { createRetention, createRunRemover, removeRunFiles } from './features/retention';
import { createAutomaticRetries } from './features/runs/rerun/automatic-retries';
import { Scheduler, type OccurrencesSkipped } from './features/scheduler';
import { createProfileChoice } from './features/profiles';
import { createArrivedObjects, FileTriggers } from './features/triggers';
import { createSecrets, type Secrets } from './features/secrets';
import { createResourceHistory } from './features/system';
import type { Worker } from './features/worker';
import { workerSettings } from './features/worker/worker-settings';
import { createWorkerTokens } from './features/worker-tokens';
import { createLifecycle, type ApplicationLifecycle } from './lifecycle';
import type { Platform } from './platform';
import { createRoutes } from './routes';
import { createWorkers } from './workers';

/** Loaded when somebody asks for it first. */
const loadAgentParts = () => import('./bundles/agent.js');

export interface ApplicationOptions {
  readonly config: Config;
  readonly version: string;
  /** The server's own environment, of which steps get the allowed part. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly timer?: Timer;
  readonly random?: RandomSource;
}

/** DAGs and runs of one installation. Nothing happens in the background before `start`. */
export interface Application extends Resource, ApplicationLifecycle {
  bindRoutes(bind: Bind): void;
  readonly runs: DagRunRepository;
  readonly startRun: StartRun;
  readonly files: DagFiles;
  readonly worker: Worker;
  readonly scheduler: Scheduler;
  readonly fileTriggers: FileTriggers;
  readonly audit: AuditTrail;
  readonly readStoredSecret: Secrets['readStoredSecret'];
  readonly readRun: DagRunService['details'];
  readonly passOn: RemoteNodes['passOn'];
  /** Serves the workers that have no database. */
  readonly remoteWorkers: RequestHandler;
}

/** The composition root: every feature, each made from those above it. */
export async function createApplication(options: ApplicationOptions, platform: Platform): Promise<Application> {
  const { config, version, hostEnvironment, logger } = options;
  const { clock = systemClock, timer = systemTimer, random = systemRandom } = options;
  const { runs, queue, isShared, parsers, runFiles, jsRunner, sealer } = platform;
  const { flags, dagRevisions, eventLog, auditLog, webhooks, notifications, remoteNodes, outboxSignal } = platform;
  const { gitSync, agentStores, backfills: storedBackfills, agentSessions, schedulerState, secondFactors } = platform;
  const { runChanges, checkDatabase, workspaces } = platform;
  const { maxRevisions } = config.revisions;
  const dagsFolder = config.dags.folder;
  const dataFolder = config.data.folder;
  const logFolder = config.logs.folder;
  const runsFolder = path.join(dataFolder, 'runs');
  for (const folder of [dagsFolder, logFolder, runsFolder]) await mkdir(folder, { recursive: true, mode: 0o700 });

  const queueChanges = createListeners<QueueChange>();
  const occurrencesSkipped = createListeners<OccurrencesSkipped>();
  const calendarBook = createCalendarBook({ calendars: platform.calendars, clock, logger });
  const times = createScheduleTimes({ timeZone: config.timeZone, findCalendar: calendarBook.find });
  const resources = createResourceHistory({ folder: dataFolder, clock, timer, logger });
  const events = createEventRecorder({
    eventLog,
    runs,
    runChanges,
    queueChanges,
    occurrencesSkipped,
    maxEvents: config.events.maxEvents,
    maxEventAgeMs: config.events.maxEventAgeMs,
    clock,
    timer,
    random,
    logger,
  });
  const audit = createAuditTrail({
    auditLog,
    auditRetentionMs: config.audit.auditRetentionMs,
    clock,
    timer,
    random,
    logger,
  });
  const storedSecrets = createSecrets({
    secrets: platform.secrets,
    webhooks,
    notifications,
    remoteNodes,
    gitSync,
    secondFactors,
    profiles: platform.profiles,
    agentStores,
    workspaces,
    sealer,
    clock,
    random,
    logger,
  });
  const { readStoredSecret } = storedSecrets;
  const sentEvents = createNotifications({
    runs,
    queue,
    notifications,
    outboxSignal,
    schedulerState,
    checkDatabase,
    sealer,
    ...config.eventTargets,
    clock,
    timer,
    random,
    logger,
  });
  const { nodesFile } = config.remoteNodes;
  const nodes = await createRemoteNodes({ remoteNodes, nodesFile, sealer, clock, random });
  const workerTokens = createWorkerTokens({ ...platform, clock, random, logger });
  const agentSettings = await loadAgentSettings({
    agentStores,
    agentProvidersFile: config.agentProviders.agentProvidersFile,
    listTools: async () => (await loadAgentParts()).listAgentTools(),
    sealer,
    clock,
    random,
    logger,
  });

  const files = createDagFiles({
    baseConfig: { ...config.baseConfig, dagsFolder },
    parsers,
    flags,
    dagRevisions,
    maxRevisions,
    check: createCalendarCheck(calendarBook, clock),
    times,
    clock,
    random,
    logger,
  });
  const { store, specs, serverSpecs, suspensions, locks, revisions, catalog } = files;
  calendarBook.onChange(() => catalog.calendarsChanged());
  const stopRequests = createListeners<string>();
  const removeRun = createRunRemover({
    runs,
    removeFiles: (run) => removeRunFiles(run, { runFiles, logFolder, dataFolder }),
  });
  const dagRuns = createDagRuns({
    runs,
    parsers,
    logSearcher: platform.logSearcher,
    runFiles,
    removeRun,
    maxStreams: config.streams.maxStreams,
    hasDagFile: (name) => files.has(name),
    listModelPrices: () => agentStores.models.list(),
    onStopRequested: (runId) => stopRequests.announce(runId),
    onRunChange: (listener) => runChanges.subscribe(({ runId }) => listener(runId)),
    clock,
  });
  const { stopper, retrier } = dagRuns;
  const waitForRun = createRunWaiter({ runs, timer });
  const retention = createRetention({
    runs,
    dagNamesAfter: platform.retained.dagNamesAfter,
    freeSpace: platform.retained.freeSpace,
    parser: parsers.forServer,
    removeRun,
    clock,
    timer,
    logger,
  });
  const starting = {
    runs,
    runFiles,
    logDir: logFolder,
    dagsDir: dagsFolder,
    runsDir: runsFolder,
    home: hostEnvironment.HOME,
    chooseProfile: createProfileChoice(platform.profiles),
    onQueued: () => queue.announce(),
    onRootStored: (dag: Dag) => retention.schedule(dag),
    clock,
    random,
  };
  const settings = workerSettings(config);
  const objects = createArrivedObjects({ ...settings, config, hostEnvironment, readStoredSecret, clock });
  const { worker, remoteWorkers } = createWorkers({
    config,
    version,
    hostEnvironment,
    platform,
    files,
    // What a step starts has the worker of the step as its owner, or waits in a queue.
    startRun: createRunStarter(starting),
    waitForRun,
    retrier,
    stopper,
    stopRequests,
    readStoredSecret,
    identifyWorker: (token) => workerTokens.identify(token),
    clock,
    timer,
    random,
    logger,
  });
  const startRun = createRunStarter({ ...starting, local: worker.local });

  const dags = createDagService({
    store,
    specs,
    locks,
    revisions,
    catalog,
    suspensions,
    runs,
    runFiles,
    dagRuns: dagRuns.service,
    stopper,
    times,
    clock,
  });
  const editor = createDagEditor({
    store,
    specs,
    locks,
    revisions,
    catalog,
    suspensions,
    runs,
    webhooks,
    times,
    clock,
  });
  const documents = createDocs({ docsFolder: config.docs.folder, workspaces, random });
  const sync = createGitSync({
    gitSync,
    gitSyncDefaults: config.gitSync.gitSyncDefaults,
    store,
    specs,
    editor,
    documents,
    audit,
    readStoredSecret,
    sealer,
    isShared,
    hostEnvironment,
    dataFolder,
    clock,
    timer,
    random,
    logger,
  });
  const scheduler = new Scheduler({
    catalog,
    store,
    specs: serverSpecs,
    suspensions,
    flags,
    state: schedulerState,
    runs,
    startRun,
    stopper,
    tellSkipped: sentEvents.tellSkipped,
    occurrencesSkipped,
    calendars: calendarBook,
    times,
    clock,
    timer,
    logger,
  });
  const fileTriggers = new FileTriggers({ files, runs, startRun, objects, dagsFolder, clock, timer, logger });
  const retries = createAutomaticRetries({
    runs,
    retrier,
    listSuspended: () => flags.listSuspended(),
    isShared,
    clock,
    timer,
    logger,
  });
  const backfills = createBackfills({
    backfills: storedBackfills,
    store,
    specs,
    serverSpecs,
    runs,
    startRun,
    stopper,
    times,
    isShared,
    dagsFolder,
    clock,
    timer,
    random,
    logger,
  });
  const agent = createAgent({
    agentSessions,
    agentSettings,
    loadApp: loadAgentParts,
    agentTimeoutMs: config.agent.agentTimeoutMs,
    maxAgentSessions: config.agent.maxAgentSessions,
    audit,
    // Its tools are the operations, among them its own.
    bindRoutes: (to) => bindRoutes(to),
    clock,
    timer,
    random,
    logger,
  });
  const lifecycle = createLifecycle({
    calendars: calendarBook,
    catalog,
    queue,
    queues: config.queues,
    runs,
    worker,
    scheduler,
    fileTriggers,
    retries,
    backfillRunner: backfills.runner,
    retention,
    parsers,
    jsRunner,
    resources,
    events,
    storedSecrets,
    audit,
    runIndexer: createRunIndexer({ runIndex: platform.runIndex, timer, logger }),
    sentEvents,
    outboxSignal,
    sync,
    agent,
  });
  const bindRoutes = createRoutes({
    config,
    version,
    hostEnvironment,
    startedAt: clock.now(),
    roles: lifecycle.roles,
    platform,
    queueChanges,
    calendarBook,
    times,
    resources,
    audit,
    storedSecrets,
    objects,
    sentEvents,
    nodes,
    workerTokens,
    agentSettings,
    files,
    dagRuns,
    startRun,
    waitForRun,
    dags,
    editor,
    documents,
    sync,
    backfills,
    agent,
    clock,
    random,
    logger,
  });
  const parts = { runs, startRun, files, worker, scheduler, fileTriggers, audit, readStoredSecret, remoteWorkers };
  return { ...parts, readRun: dagRuns.service.details, passOn: nodes.passOn, bindRoutes, ...lifecycle };
}
