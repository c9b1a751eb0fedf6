import type { RandomSource } from './adapters/random-source';
import type { Bind } from './bind';
import type { Agent } from './features/agent';
import { bindArtifactRoutes } from './features/artifacts';
import { bindBulkDagRoutes, bindBulkRunRoutes, type BulkDagsDependencies } from './features/bulk';
import type { SpecReader } from './dag-parser';
import {
  bindRerunRoutes,
  createRescheduler,
  type DagRunRepository,
  type DagRuns,
  type StartRun,
} from './features/dag-runs';
import { createRunSourceReader, type DagCatalog, type DagFileStore } from './features/dags';
import { bindEditRetryRoutes, createEditRetrier } from './features/edit-retry';
import { bindAuditRoutes, type AuditRoutesDependencies } from './features/audit';
import { bindEventLogRoutes, type EventLogRepository } from './features/event-log';
import { bindExplainRoutes, type ExplainDependencies } from './features/explain';
import { bindLiveRoutes, createFeedSource, createLiveHub, recordOperations } from './features/live';
import { bindMetricsRoutes } from './features/metrics';
import type { QueueDriver } from './features/queue';
import {
  bindDeadLetterRoutes,
  bindQueueRoutes,
  createDeadLetterService,
  createQueueControl,
  createQueueService,
} from './features/queue-views';
import { bindRunInsightRoutes, createRunInsightService, type RunInsightDependencies } from './features/run-insights';
import { bindWebhookRoutes, createWebhookService, type WebhookPorts } from './features/webhooks';
import type { Listeners } from './adapters/listeners';
import type { RunFiles } from './run-files';
import type { QueueChange, RunChange } from './adapters/run-changes';

export interface RunRoutesDependencies
  extends
    AuditRoutesDependencies,
    Omit<ExplainDependencies, 'addresses' | 'queue' | 'runs' | 'catalog' | 'suspensions'>,
    Omit<BulkDagsDependencies, 'runs'>,
    WebhookPorts,
    Pick<RunInsightDependencies, 'hostEnvironment' | 'passthrough' | 'dagsDir'> {
  readonly queue: QueueDriver<never>;
  readonly queueChanges: Listeners<QueueChange>;
  readonly runs: DagRunRepository;
  readonly dagRuns: DagRuns;
  readonly runFiles: RunFiles;
  readonly startRun: StartRun;
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  readonly eventLog: EventLogRepository;
  readonly random: RandomSource;
  readonly readMetrics: () => Promise<string>;
}

/** Everything about runs: themselves, what they leave, where they wait, and changes of many runs or DAGs. */
export function bindRunRoutes(bind: Bind, dependencies: RunRoutesDependencies): void {
  const { dagRuns, parsers, runFiles } = dependencies;
  dagRuns.bindRoutes(bind);
  const readFile = createRunSourceReader(dependencies);
  const rerunning = { ...dependencies, ...dagRuns, parser: parsers.forRequests };
  bindRerunRoutes(bind, createRescheduler({ ...rerunning, readFile }));
  bindEditRetryRoutes(bind, createEditRetrier(rerunning));
  bindRunInsightRoutes(bind, createRunInsightService(rerunning));
  bindArtifactRoutes(bind, { ...dagRuns, runFiles });
  bindMetricsRoutes(bind, dependencies.readMetrics);
  bindEventLogRoutes(bind, dependencies);
  bindAuditRoutes(bind, dependencies);
  bindWebhookRoutes(bind, createWebhookService(dependencies));
  bindExplainRoutes(bind, { ...dependencies, ...dagRuns });
  bindBulkRunRoutes(bind, dependencies);
  bindBulkDagRoutes(bind, dependencies);
  const queues = createQueueService(dependencies);
  bindQueueRoutes(bind, queues, createQueueControl({ ...dependencies, ...dagRuns, queues }));
  bindDeadLetterRoutes(bind, createDeadLetterService({ ...dependencies, ...dagRuns }));
}

export interface LiveRoutesDependencies {
  readonly dagRuns: DagRuns;
  readonly runFiles: RunFiles;
  readonly catalog: DagCatalog;
  readonly runChanges: Listeners<RunChange>;
  readonly queueChanges: Listeners<QueueChange>;
  readonly agent: Pick<Agent, 'onSessionChange'>;
  readonly readRevision: () => string | undefined;
  readonly maxStreams: number;
  readonly random: RandomSource;
}

/** The routes that `bindOthers` binds, and streams of what they answer. */
export function bindWithLiveRoutes(
  bind: Bind,
  {
    dagRuns,
    runFiles,
    catalog,
    runChanges,
    queueChanges,
    agent,
    readRevision,
    maxStreams,
    random,
  }: LiveRoutesDependencies,
  bindOthers: (bind: Bind) => void,
): void {
  const recorded = recordOperations(bind);
  bindOthers(recorded.bind);
  const source = createFeedSource({
    ...dagRuns,
    runFiles,
    call: recorded.call,
    onRunChange: (listener) => runChanges.subscribe(({ runId }) => listener(runId)),
    onQueueChange: (listener) => queueChanges.subscribe(listener),
    onDefinitionChange: (listener) => catalog.follow(listener),
    onSessionChange: (listener) => agent.onSessionChange(listener),
    readRevision,
  });
  const createSessionId = (): string => random.uuid();
  bindLiveRoutes(bind, createLiveHub({ source, createSessionId, maxStreams }));
}
