import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { systemTimer, type Timer, type Clock } from '@weir/workflow-engine';
import type { Logger, Resource } from '@weir/service-kit';
import { createScheduleTimes, type Dag } from '@weir/workflow-spec';
import { systemClock } from './adapters/clock';
import { systemRandom, type RandomSource } from './adapters/random-source';
import type { Bind } from './bind';
import type { Config } from './config';
import { loadAgentSettings } from './features/agent-settings';
import { createAgent } from './features/agent';
import { createApiKeys, type ApiKeyRepository } from './features/api-keys';
import { createAuth, type Auth, type AuthPorts } from './features/auth';
import { createBackfills } from './features/backfill';
import {
  createDagRuns,
  createRunStarter,
  createRunWaiter,
  type DagRunRepository,
  type StartRun,
} from './features/dag-runs';
import {
  bindDefinitionRoutes,
  createDagEditor,
  createDagFiles,
  createDagService,
  type DagFiles,
} from './features/dags';
import { createAuditTrail, type AuditTrail } from './features/audit';
import { createEventRecorder } from './features/event-log';
import { createRunMetrics } from './features/metrics';
import { createGitSync } from './features/git-sync';
import { createNotifications, type Notifications } from './features/notifications';
import { createRetention, createRunRemover, removeRunFiles } from './features/retention';
import { workerSettings } from './features/worker/worker-settings';
import { createChildRuns, createWorker, type Worker } from './features/worker';
import { createAutomaticRetries, Scheduler } from './features/scheduler';
import {
  bindSystemRoutes,
  createResourceHistory,
  createStorageCheck,
  createStoreCheck,
  createStoredWorkers,
  type StoredWorkersDependencies,
} from './features/system';
import { bindSearchRoutes, createSearchService } from './features/search';
import { bindBaseConfigRoutes, createBaseConfigService, type BaseConfigDependencies } from './features/settings';
import { createDocs, type Docs } from './features/docs';
import { createRemoteNodes, type RemoteNodes } from './features/remote-nodes';
import { createSecrets, type Secrets } from './features/secrets';
import { createUsers } from './features/users';
import { bindWorkspaceRoutes, type WorkspaceRoutesDependencies } from './features/workspaces';
import { createListeners, type Listeners } from './adapters/listeners';
import { createLifecycle, type ApplicationLifecycle } from './lifecycle';
import { listAgentTools } from './mcp/list-agent-tools';
import type { Platform } from './platform';
import { announceRunChanges, type RunChange } from './adapters/run-changes';
import { bindRunRoutes, bindWithLiveRoutes } from './run-routes';

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
  readonly audit: AuditTrail;
  readonly passOn: RemoteNodes['passOn'];
}

const systemDefaults = { clock: systemClock, timer: systemTimer, random: systemRandom };

/** The composition root: every feature, each made from those above it. */
export async function createApplication(options: ApplicationOptions, given: Platform): Promise<Application> {
  const { config, version, hostEnvironment, logger, clock, timer, random } = { ...systemDefaults, ...options };
  const platform = announceRunChanges(given);
  const { runs, queue, parsers, flags, schedulerState: state } = platform;
  const folders = await createFolders(config);
  const times = createScheduleTimes({ timeZone: config.timeZone });
  const resources = createResourceHistory({ clock, timer, logger, folder: folders.dataFolder });
  const common = { ...platform, ...folders, ...config.revisions, clock, timer, random, logger, times, resources };
  const events = createEventRecorder({ ...common, ...config.events });
  const agentSettings = await loadAgentSettings({ ...common, ...config.agentProviders, listTools: listAgentTools });
  const settings = { ...config.audit, ...config.eventTargets, ...config.remoteNodes };
  const governance = await createGovernance({ ...common, ...settings });
  const { audit, storedSecrets, sentEvents, nodes } = governance;
  const stopRequests = createListeners<string>();

  const files = createDagFiles({ ...common, baseConfig: { ...config.baseConfig, dagsFolder: folders.dagsFolder } });
  const removeRun = createRunRemover({ runs, removeFiles: (run) => removeRunFiles(run, common) });
  const retention = createRetention({ ...common, ...platform.retained, removeRun, parser: parsers.forServer });
  const hooks = { onQueued: () => queue.announce(), onRootStored: (dag: Dag) => retention.schedule(dag) };
  const starting = { ...common, ...startFolders(folders), ...hooks, home: hostEnvironment.HOME };
  const observed = observeRuns({ files, stopRequests, runChanges: platform.runChanges });
  const dagRuns = createDagRuns({ ...common, ...config.streams, ...observed, removeRun });
  const { stopper, retrier, service } = dagRuns;
  const waitForRun = createRunWaiter({ runs, timer });
  // What a step starts has the worker of the step as its owner, or waits in a queue.
  const children = createChildRuns({ ...common, ...dagRuns, files, waitForRun, startRun: createRunStarter(starting) });
  const executing = { ...common, ...workerSettings(config), ...storedSecrets, hostEnv: hostEnvironment, version };
  const worker = createWorker({ ...executing, children, stopRequests });
  const startRun = createRunStarter({ ...starting, local: worker.local });
  const dags = createDagService({ ...common, ...files, dagRuns: service, startRun, stopper });
  const editor = createDagEditor({ ...common, ...files });
  const documents = createDocs(common);
  const acting = { ...common, ...storedSecrets, ...files, hostEnvironment, audit, stopper, startRun };
  const sync = createGitSync({ ...acting, ...config.gitSync, editor, documents });
  const scheduler = new Scheduler({ ...acting, ...sentEvents, specs: files.serverSpecs, state });
  const retries = createAutomaticRetries({ ...common, retrier, listSuspended: () => flags.listSuspended() });
  const backfills = createBackfills(acting);
  const agent = createAgent({ ...common, ...config.agent, audit, agentSettings, bindRoutes: (to) => bindRoutes(to) });
  const lifecycle = createLifecycle({
    ...{ ...platform, agent },
    ...{ catalog: files.catalog, queues: config.queues, worker, scheduler, retries, retention, resources, events },
    ...{ backfillRunner: backfills.runner, storedSecrets, audit, sentEvents, sync },
  });
  const system = { ...common, version, startedAt: clock.now(), roles: lifecycle.roles, ...systemPorts(config, common) };
  const steps = { ...storedSecrets, ...stepSettings(config), hostEnvironment };
  const readMetrics = createRunMetrics({ ...system, ...files, ...config.metrics });
  const bindRoutes = (to: Bind): void =>
    bindWithLiveRoutes(to, { ...common, ...config.streams, ...files, dagRuns, agent }, (bind) => {
      bindSystemRoutes(bind, system);
      bindContentRoutes(bind, { ...common, ...governance, files, documents, ...config.baseConfig });
      for (const feature of [sync, agentSettings, backfills, agent]) feature.bindRoutes(bind);
      bindDefinitionRoutes(bind, { ...common, ...files, dagRuns: service, dags, editor, waitForRun });
      bindRunRoutes(bind, { ...system, ...steps, ...files, audit, dagRuns, dags, editor, startRun, readMetrics });
    });
  const { passOn } = nodes;
  return { ...{ runs, startRun, files, worker, scheduler, audit, passOn }, bindRoutes, ...lifecycle };
}

interface RunObservers {
  readonly files: DagFiles;
  readonly stopRequests: Listeners<string>;
  readonly runChanges: Listeners<RunChange>;
}

const observeRuns = ({ files, stopRequests, runChanges }: RunObservers) => ({
  hasDagFile: (name: string) => files.has(name),
  onStopRequested: (runId: string) => stopRequests.announce(runId),
  onRunChange: (listener: (runId: string) => void) => runChanges.subscribe(({ runId }) => listener(runId)),
});

const stepSettings = ({ steps: { passthrough }, dags }: Config) => ({ passthrough, dagsDir: dags.folder });

const startFolders = ({ logFolder, dagsFolder, runsFolder }: Awaited<ReturnType<typeof createFolders>>) => ({
  ...{ logDir: logFolder, dagsDir: dagsFolder, runsDir: runsFolder },
});

interface Governance {
  readonly audit: AuditTrail;
  readonly storedSecrets: Secrets;
  readonly sentEvents: Notifications;
  readonly nodes: RemoteNodes;
}

type GovernancePorts = Parameters<typeof createAuditTrail>[0] &
  Parameters<typeof createSecrets>[0] &
  Parameters<typeof createNotifications>[0] &
  Parameters<typeof createRemoteNodes>[0];

/** What is recorded, kept secret, sent to others and passed on to them. */
async function createGovernance(ports: GovernancePorts): Promise<Governance> {
  return {
    audit: createAuditTrail(ports),
    storedSecrets: createSecrets(ports),
    sentEvents: createNotifications(ports),
    nodes: await createRemoteNodes(ports),
  };
}

interface ContentPorts
  extends Governance, Omit<WorkspaceRoutesDependencies, 'hasDocuments' | 'listNodes'>, BaseConfigDependencies {
  readonly files: DagFiles;
  readonly documents: Docs;
}

/** What people write besides DAGs. To be bound before DAGs, whose addresses would take `/dags/search` for a name. */
function bindContentRoutes(
  bind: Bind,
  { files, documents, storedSecrets, sentEvents, nodes, ...ports }: ContentPorts,
): void {
  bindSearchRoutes(bind, createSearchService(files));
  documents.bindRoutes(bind);
  storedSecrets.bindRoutes(bind);
  sentEvents.bindRoutes(bind);
  nodes.bindRoutes(bind);
  bindWorkspaceRoutes(bind, { ...ports, hasDocuments: documents.hasDirectory, listNodes: nodes.listNodes });
  bindBaseConfigRoutes(bind, createBaseConfigService(ports));
}

async function createFolders({ dags, docs, logs, data }: Config) {
  const folders = {
    dagsFolder: dags.folder,
    docsFolder: docs.folder,
    logFolder: logs.folder,
    dataFolder: data.folder,
    runsFolder: path.join(data.folder, 'runs'),
  };
  const { dagsFolder, logFolder, runsFolder } = folders;
  for (const folder of [dagsFolder, logFolder, runsFolder]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  return folders;
}

function systemPorts({ basePath, logs, data }: Config, stored: StoredWorkersDependencies & Pick<Platform, 'runFiles'>) {
  return {
    serverUrl: `${basePath}/api/v1`,
    checkStorage: createStorageCheck([data.folder, logs.folder]),
    checkStore: createStoreCheck(stored.runFiles),
    storedWorkers: createStoredWorkers(stored),
  };
}

export interface IdentityPorts extends Omit<AuthPorts, 'authenticateApiKey'> {
  readonly apiKeys: ApiKeyRepository;
}

/** Users, API keys and signing in. */
export function createIdentity(ports: IdentityPorts): Auth {
  const users = createUsers(ports);
  const apiKeys = createApiKeys(ports);
  const auth = createAuth({ ...ports, authenticateApiKey: (key) => apiKeys.authenticate(key) });
  return {
    ...auth,
    bindRoutes: (bind) => {
      auth.bindRoutes(bind);
      users.bindRoutes(bind);
      apiKeys.bindRoutes(bind);
    },
  };
}
