import type { Logger } from '@weir/service-kit';
import type { Clock } from '@weir/workflow-engine/model';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { RandomSource } from './adapters/random-source';
import type { Listeners } from './adapters/listeners';
import type { QueueChange } from './adapters/run-changes';
import type { Bind } from './access/bind';
import type { Config } from './config';
import type { Agent } from './features/agent';
import type { ServedAgentSettings } from './features/agent-settings';
import { bindArtifactRoutes } from './features/artifacts';
import { bindAuditRoutes, type AuditTrail } from './features/audit';
import { bindCalendarRoutes, createCalendarService, type CalendarBook } from './features/calendars';
import type { Backfills } from './features/backfill';
import { bindBulkDagRoutes, bindBulkRunRoutes } from './features/bulk';
import {
  bindRerunRoutes,
  createRescheduler,
  createStartCheck,
  type DagRuns,
  type StartRun,
  type WaitForRun,
} from './features/runs';
import {
  bindDefinitionRoutes,
  createRunSourceReader,
  type DagEditor,
  type DagFiles,
  type DagService,
} from './features/dags';
import type { Docs } from './features/docs';
import { bindEditRetryRoutes } from './features/runs/rerun/edit-retry-routes';
import { createEditRetrier } from './features/runs/rerun/edit-retrier';
import { bindEventLogRoutes } from './features/event-log';
import { bindExplainRoutes } from './features/explain';
import type { GitSync } from './features/git-sync';
import { bindLiveRoutes, collectOperations, createFeedSource, createLiveHub, type Operations } from './features/live';
import { bindMetricsRoutes, createRunMetrics } from './features/metrics';
import type { Notifications } from './features/notifications';
import {
  bindDeadLetterRoutes,
  bindQueueRoutes,
  createDeadLetterService,
  createQueueControl,
  createQueueService,
} from './features/queue';
import type { RemoteNodes } from './features/remote-nodes';
import { bindRunInsightRoutes, createRunInsightService } from './features/run-insights';
import { bindRunSearchRoutes, createRunSearch } from './features/run-search';
import { bindSearchRoutes, createSearchService } from './features/search';
import { bindProfileRoutes, createProfileService } from './features/profiles';
import type { Secrets } from './features/secrets';
import { bindBaseConfigRoutes, createBaseConfigService } from './features/settings';
import {
  bindSystemRoutes,
  createStorageCheck,
  createStoreCheck,
  createStoredWorkers,
  type ResourceHistory,
} from './features/system';
import { bindEventRoutes, type ArrivedObjects } from './features/triggers';
import { bindWebhookRoutes, createWebhookService } from './features/webhooks';
import type { WorkerTokens } from './features/worker-tokens';
import { bindWorkspaceRoutes } from './features/workspaces';
import type { Platform } from './platform';
import type { Role } from './roles';

export interface RoutesPorts {
  readonly config: Config;
  readonly version: string;
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  readonly startedAt: Date;
  readonly roles: () => readonly Role[];
  readonly platform: Platform;
  readonly queueChanges: Listeners<QueueChange>;
  readonly calendarBook: CalendarBook;
  readonly times: ScheduleTimes;
  readonly resources: ResourceHistory;
  readonly audit: AuditTrail;
  readonly storedSecrets: Secrets;
  readonly objects: ArrivedObjects;
  readonly sentEvents: Notifications;
  readonly nodes: RemoteNodes;
  readonly workerTokens: WorkerTokens;
  readonly agentSettings: ServedAgentSettings;
  readonly files: DagFiles;
  readonly dagRuns: DagRuns;
  readonly startRun: StartRun;
  readonly waitForRun: WaitForRun;
  readonly dags: DagService;
  readonly editor: DagEditor;
  readonly documents: Docs;
  readonly sync: GitSync;
  readonly backfills: Backfills;
  readonly agent: Agent;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly logger: Logger;
}

/**
 * Binds every operation of DAGs and runs, in the order in which their addresses are tried. What is behind them, with its
 * caches and limits, is made once, at the first binding.
 */
export function createRoutes(ports: RoutesPorts): (to: Bind) => void {
  let operations: Operations | undefined;
  const { config, version, startedAt, roles, platform, files, clock } = ports;
  const { runs, runChanges } = platform;
  const { prefix } = config.metrics;
  const { catalog } = files;
  // It counts runs that end before anything is bound, such as those that a killed server has left.
  const readMetrics = createRunMetrics({ prefix, version, startedAt, roles, runs, runChanges, catalog, clock });
  return (to) => {
    operations ??= createOperations(ports, readMetrics);
    operations.bindTo(to);
  };
}

function createOperations(ports: RoutesPorts, readMetrics: ReturnType<typeof createRunMetrics>): Operations {
  const operations = collectOperations();
  const { bind } = operations;
  bindServerRoutes(bind, ports);
  ports.workerTokens.bindRoutes(bind);
  // Before those of DAGs, which would take `/dags/search` for a name.
  bindContentRoutes(bind, ports);
  ports.sync.bindRoutes(bind);
  ports.agentSettings.bindRoutes(bind);
  ports.backfills.bindRoutes(bind);
  ports.agent.bindRoutes(bind);
  bindDagRoutes(bind, ports);
  bindRunRoutes(bind, ports);
  bindMetricsRoutes(bind, readMetrics);
  bindOversightRoutes(bind, ports);
  bindQueuesRoutes(bind, ports);
  bindStreams(operations, ports);
  return operations;
}

function bindServerRoutes(bind: Bind, ports: RoutesPorts): void {
  const { config, version, startedAt, roles, resources, clock } = ports;
  const { workers, runs, runFiles, checkDatabase, stepIsolation } = ports.platform;
  bindSystemRoutes(bind, {
    version,
    startedAt,
    roles,
    serverUrl: `${config.basePath}/api/v1`,
    checkDatabase,
    checkStorage: createStorageCheck([config.data.folder, config.logs.folder]),
    checkStore: createStoreCheck(runFiles),
    storedWorkers: createStoredWorkers({ workers, runs }),
    stepIsolation,
    resources,
    clock,
  });
}

/** What people write besides DAGs. */
function bindContentRoutes(bind: Bind, ports: RoutesPorts): void {
  const { config, files, documents, storedSecrets, sentEvents, nodes, clock, random } = ports;
  const { workspaces, dagRevisions, calendars, profiles, sealer } = ports.platform;
  bindCalendarRoutes(bind, createCalendarService({ calendars, book: ports.calendarBook, clock }));
  bindSearchRoutes(bind, createSearchService(files));
  bindRunSearchRoutes(bind, createRunSearch(ports.platform));
  documents.bindRoutes(bind);
  storedSecrets.bindRoutes(bind, files.catalog);
  bindProfileRoutes(bind, createProfileService({ profiles, sealer, workspaces, clock, random }));
  sentEvents.bindRoutes(bind);
  nodes.bindRoutes(bind);
  bindWorkspaceRoutes(bind, {
    workspaces,
    hasDocuments: documents.hasDirectory,
    listNodes: nodes.listNodes,
    clock,
    random,
  });
  const { file } = config.baseConfig;
  const { maxRevisions } = config.revisions;
  bindBaseConfigRoutes(bind, createBaseConfigService({ file, dagRevisions, maxRevisions, clock, random }));
}

function bindDagRoutes(bind: Bind, { config, platform, files, dagRuns, ...ports }: RoutesPorts): void {
  bindDefinitionRoutes(bind, {
    store: files.store,
    specs: files.specs,
    catalog: files.catalog,
    suspensions: files.suspensions,
    locks: files.locks,
    revisions: files.revisions,
    dagRevisions: platform.dagRevisions,
    dagsFolder: config.dags.folder,
    runs: platform.runs,
    dagRuns: dagRuns.service,
    dags: ports.dags,
    editor: ports.editor,
    startRun: ports.startRun,
    waitForRun: ports.waitForRun,
    times: ports.times,
    clock: ports.clock,
  });
}

/** Runs, what they leave, and what starts them again. */
function bindRunRoutes(bind: Bind, ports: RoutesPorts): void {
  const { config, files, dagRuns, startRun, hostEnvironment } = ports;
  const { store, specs } = files;
  const { runs, runFiles, parsers } = ports.platform;
  const { addresses } = dagRuns;
  const parser = parsers.forRequests;
  dagRuns.bindRoutes(bind);
  const readFile = createRunSourceReader({ store, specs });
  bindRerunRoutes(bind, createRescheduler({ addresses, parser, startRun, readFile }));
  bindEditRetryRoutes(bind, createEditRetrier({ runs, addresses, parser, specs, startRun }));
  const { passthrough } = config.steps;
  const dagsDir = config.dags.folder;
  bindRunInsightRoutes(
    bind,
    createRunInsightService({ runs, addresses, parser, runFiles, hostEnvironment, passthrough, dagsDir }),
  );
  bindArtifactRoutes(bind, { addresses, runFiles });
}

/** What has happened and why, what starts runs from outside, and changes of many runs or DAGs. */
function bindOversightRoutes(bind: Bind, ports: RoutesPorts): void {
  const {
    calendarBook,
    config,
    files,
    dagRuns,
    dags,
    editor,
    startRun,
    audit,
    storedSecrets,
    roles,
    times,
    clock,
    random,
    logger,
  } = ports;
  const { store, specs, catalog, suspensions } = files;
  const { runs, queue, flags, workers, schedulerState, parsers, outputEvaluator, sealer } = ports.platform;
  const { eventLog, auditLog, webhooks, webhookDeliveries } = ports.platform;
  bindEventLogRoutes(bind, { eventLog });
  bindAuditRoutes(bind, { auditLog, audit });
  bindEventRoutes(bind, { catalog, store, specs, outputEvaluator, startRun });
  bindWebhookRoutes(
    bind,
    createWebhookService({
      webhooks,
      webhookDeliveries,
      store,
      specs,
      startRun,
      outputEvaluator,
      sealer,
      readStoredSecret: storedSecrets.readStoredSecret,
      clock,
      random,
    }),
  );
  bindExplainRoutes(bind, {
    runs,
    addresses: dagRuns.addresses,
    parsers,
    queue,
    workers,
    schedulerState,
    flags,
    store,
    specs,
    eventLog,
    roles,
    findCalendar: calendarBook.find,
    objects: ports.objects,
    dagsFolder: config.dags.folder,
    times,
    clock,
  });
  bindBulkRunRoutes(bind, { dagRuns, logger });
  const checkStart = createStartCheck({ runs, dagsDir: config.dags.folder });
  bindBulkDagRoutes(bind, { dags, editor, store, specs, catalog, suspensions, runs, startRun, checkStart, logger });
}

function bindQueuesRoutes(bind: Bind, { platform, queueChanges, dagRuns, clock }: RoutesPorts): void {
  const { queue, runs, runFiles } = platform;
  const { addresses, decisions } = dagRuns;
  const queues = createQueueService({ queue, runs, runFiles });
  bindQueueRoutes(bind, queues, createQueueControl({ queue, queues, addresses, queueChanges, clock }));
  bindDeadLetterRoutes(bind, createDeadLetterService({ queue, runs, runFiles, decisions }));
}

/** Streams of what the other operations answer. */
function bindStreams(
  { bind, call }: Operations,
  { config, platform, queueChanges, files, dagRuns, agent, random }: RoutesPorts,
): void {
  const { runFiles, runChanges, readRevision } = platform;
  const source = createFeedSource({
    call,
    addresses: dagRuns.addresses,
    logs: dagRuns.logs,
    runFiles,
    onRunChange: (listener) => runChanges.subscribe(({ runId }) => listener(runId)),
    onQueueChange: (listener) => queueChanges.subscribe(listener),
    onDefinitionChange: (listener) => files.catalog.follow(listener),
    onSessionChange: (listener) => agent.onSessionChange(listener),
    readRevision,
  });
  const { maxStreams } = config.streams;
  bindLiveRoutes(bind, createLiveHub({ source, createSessionId: () => random.uuid(), maxStreams }));
}
