import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { systemTimer, type Timer, type Clock } from '@weir/workflow-engine';
import type { Logger, Resource } from '@weir/service-kit';
import { createScheduleTimes, type Dag } from '@weir/workflow-spec';
import { systemClock } from './adapters/clock';
import { systemRandom, type RandomSource } from './adapters/random-source';
import type { Bind } from './bind';
import type { Config } from './config';
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
import { createRetention, createRunRemover, removeRunFiles } from './features/retention';
import { workerSettings } from './secret-providers';
import { createChildRuns, createWorker, type Worker } from './features/worker';
import { createAutomaticRetries, Scheduler } from './features/scheduler';
import {
  bindSystemRoutes,
  createResourceHistory,
  createStorageCheck,
  createStoredWorkers,
  type StoredWorkersDependencies,
} from './features/system';
import { bindSearchRoutes, createSearchService } from './features/search';
import { bindBaseConfigRoutes, createBaseConfigService, type BaseConfigDependencies } from './features/settings';
import { createDocs, type DocDependencies } from './features/docs';
import { createSecrets, type Secrets } from './features/secrets';
import { createUsers } from './features/users';
import { bindWorkspaceRoutes, type WorkspaceRoutesDependencies } from './features/workspaces';
import { createListeners } from './listeners';
import { createLifecycle, type ApplicationLifecycle } from './lifecycle';
import type { Platform } from './platform';
import { announceRunChanges } from './run-changes';
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
  const storedSecrets = createSecrets(common);
  const audit = createAuditTrail({ ...common, ...config.audit });
  const stopRequests = createListeners<string>();

  const files = createDagFiles({ ...common, baseConfig: { ...config.baseConfig, dagsFolder: folders.dagsFolder } });
  const removeRun = createRunRemover({ runs, removeFiles: (run) => removeRunFiles(run, common) });
  const retention = createRetention({ ...common, ...platform.retained, removeRun, parser: parsers.forServer });
  const starting = {
    ...{ ...common, ...startFolders(folders), home: hostEnvironment.HOME },
    onQueued: () => queue.announce(),
    onRootStored: (dag: Dag) => retention.schedule(dag),
  };
  const dagRuns = createDagRuns({
    ...{ ...common, ...config.streams, removeRun },
    hasDagFile: (name) => files.has(name),
    onStopRequested: (runId) => stopRequests.announce(runId),
    onRunChange: (listener) => platform.runChanges.subscribe(({ runId }) => listener(runId)),
  });
  const { stopper, retrier, service } = dagRuns;
  const waitForRun = createRunWaiter({ runs, timer });
  // What a step starts has the worker of the step as its owner, or waits in a queue.
  const children = createChildRuns({ ...common, ...dagRuns, files, waitForRun, startRun: createRunStarter(starting) });
  const executing = { ...common, ...workerSettings(config), ...storedSecrets, hostEnv: hostEnvironment, version };
  const worker = createWorker({ ...executing, children, stopRequests });
  const startRun = createRunStarter({ ...starting, local: worker.local });
  const dags = createDagService({ ...common, ...files, dagRuns: service, startRun, stopper });
  const editor = createDagEditor({ ...common, ...files });
  const scheduler = new Scheduler({ ...common, ...files, specs: files.serverSpecs, state, startRun, stopper });
  const retries = createAutomaticRetries({ ...common, retrier, listSuspended: () => flags.listSuspended() });
  const backfills = createBackfills({ ...common, ...files, stopper, startRun });
  const lifecycle = createLifecycle({
    ...platform,
    ...{ catalog: files.catalog, queues: config.queues, worker, scheduler },
    ...{ retries, backfillRunner: backfills.runner, retention, resources, events, storedSecrets, audit },
  });
  const system = { ...common, version, startedAt: clock.now(), roles: lifecycle.roles, ...systemPorts(config, common) };
  const steps = { hostEnvironment, passthrough: config.steps.passthrough, dagsDir: folders.dagsFolder };
  const readMetrics = createRunMetrics({ ...system, ...files, ...config.metrics });
  return {
    ...{ runs, startRun, files, worker, scheduler, audit },
    bindRoutes: (to) =>
      bindWithLiveRoutes(to, { ...common, ...config.streams, ...files, dagRuns }, (bind) => {
        bindSystemRoutes(bind, system);
        bindContentRoutes(bind, { ...common, files, storedSecrets, baseConfigFile: config.baseConfig.file });
        backfills.bindRoutes(bind);
        bindDefinitionRoutes(bind, { ...common, ...files, dagRuns: service, dags, editor, waitForRun });
        bindRunRoutes(bind, { ...system, ...steps, ...files, audit, dagRuns, dags, editor, startRun, readMetrics });
      }),
    ...lifecycle,
  };
}

const startFolders = ({
  logFolder,
  dagsFolder,
  workFolder,
  artifactsFolder,
}: Awaited<ReturnType<typeof createFolders>>) => ({
  ...{ logDir: logFolder, dagsDir: dagsFolder, workDir: workFolder, artifactsDir: artifactsFolder },
});

interface ContentPorts
  extends
    Omit<DocDependencies, 'workspaces'>,
    Omit<WorkspaceRoutesDependencies, 'hasDocuments'>,
    Omit<BaseConfigDependencies, 'file'> {
  readonly files: DagFiles;
  readonly baseConfigFile: string;
  readonly storedSecrets: Secrets;
}

/** What people write besides DAGs. To be bound before DAGs, whose addresses would take `/dags/search` for a name. */
function bindContentRoutes(bind: Bind, { files, baseConfigFile, storedSecrets, ...ports }: ContentPorts): void {
  const docs = createDocs(ports);
  bindSearchRoutes(bind, createSearchService(files));
  docs.bindRoutes(bind);
  storedSecrets.bindRoutes(bind);
  bindWorkspaceRoutes(bind, { ...ports, hasDocuments: docs.hasDirectory });
  bindBaseConfigRoutes(bind, createBaseConfigService({ ...ports, file: baseConfigFile }));
}

async function createFolders({ dags, docs, logs, data }: Config) {
  const folders = {
    dagsFolder: dags.folder,
    docsFolder: docs.folder,
    logFolder: logs.folder,
    dataFolder: data.folder,
    workFolder: path.join(data.folder, 'work'),
    artifactsFolder: path.join(data.folder, 'artifacts'),
  };
  const { dagsFolder, logFolder, workFolder, artifactsFolder } = folders;
  for (const folder of [dagsFolder, logFolder, workFolder, artifactsFolder]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  return folders;
}

function systemPorts({ basePath, logs, data }: Config, stored: StoredWorkersDependencies) {
  return {
    serverUrl: `${basePath}/api/v1`,
    checkStorage: createStorageCheck([data.folder, logs.folder]),
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
