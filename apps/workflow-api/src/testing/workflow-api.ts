import { writeFile } from 'node:fs/promises';
import { createRecordingLogger, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import type { UserRole } from '@weir/workflow-contract';
import type { Clock } from '@weir/workflow-engine/model';
import { systemClock } from '../adapters/clock';
import { createInlineParsers } from '../dag-parser';
import { createInMemoryAgentStores } from '../features/agent-settings';
import { createInMemorySessionRepository } from '../features/agent';
import { createInMemoryBackfillRepository } from '../features/backfill';
import { createInMemoryRunStore } from '../features/queue/in-memory-queue-driver';
import { createInMemoryDagFlagRepository } from '../features/dags';
import { createInMemoryDagRevisionRepository } from '../features/dag-revisions';
import { createInMemoryAuditLogRepository } from '../features/audit';
import { createInMemoryEventLogRepository } from '../features/event-log';
import { createInMemoryWorkerRepository } from '../features/worker';
import { createInMemorySchedulerStateRepository } from '../features/scheduler';
import { createInMemoryRunIndex } from '../features/run-search';
import { inMemoryDagNames } from '../features/retention';
import { createInMemoryWebhookDeliveryRepository, createInMemoryWebhookRepository } from '../features/webhooks';
import { createInMemoryWorkspaceRepository } from '../features/workspaces';
import { createInMemorySecondFactorRepository } from '../features/second-factor';
import { createInMemoryProfileRepository } from '../features/profiles';
import { createInMemorySecretRepository } from '../features/secrets';
import { createInMemoryGitSyncStore } from '../features/git-sync';
import { createInMemoryCalendarRepository } from '../features/calendars';
import { createInMemoryRemoteNodeRepository } from '../features/remote-nodes';
import { createInMemoryWorkerTokenRepository } from '../features/worker-tokens';
import { createOutboxSignal, createInMemoryNotificationRepository } from '../features/notifications';
import { createInMemoryStateRepository } from '../features/state';
import { createApplication, type Application, type ApplicationOptions } from '../composition';
import { loadConfig, type Config } from '../config';
import { createLocalKey, createSealer } from '../encryption';
import { createJsRunner } from '../js-run';
import { answerSearch } from '../features/logs/search/search-request';
import type { Platform } from '../platform';
import type { Role } from '../roles';
import { localRunFiles } from '../run-files';
import { createTestApi, type TestApi } from './test-api';
import { createInlineEvaluator } from './inline-evaluator';

export interface TestWorkflow {
  readonly api: TestApi;
  readonly application: Application;
  readonly folder: TemporaryFolder;
  /** Writes a DAG file into the folder and indexes it. */
  readonly addDag: (fileName: string, spec: string) => Promise<void>;
  /** Creates a key with this role; with `workspaces`, it sees only these, in the given roles. */
  readonly createKey: (role: UserRole, workspaces?: Readonly<Record<string, UserRole>>) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface TestWorkflowOptions {
  readonly platform?: Partial<Platform>;
  readonly config?: Partial<Config>;
  readonly options?: Partial<ApplicationOptions>;
  /** Default: only the API. */
  readonly roles?: readonly Role[];
  /** When false, the folder is not read. */
  readonly isStarted?: boolean;
  readonly clock?: Clock;
}

export const hostEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', SHELL: '/bin/sh' };

/** Creates DAGs and runs as composed in production, over stores in memory and a folder of their own. */
export async function createTestWorkflow(given: TestWorkflowOptions = {}): Promise<TestWorkflow> {
  const { clock = systemClock, roles = ['api'], isStarted = true } = given;
  const folder = temporaryFolder();
  const config = loadConfig({ WEIR_HOME: folder.path }, { userHome: folder.path, workingDirectory: folder.path });
  const runStore = createInMemoryRunStore();
  const application = await createApplication(
    {
      clock,
      logger: createRecordingLogger(),
      version: '1.2.3',
      hostEnvironment,
      config: { ...config, ...given.config },
      ...given.options,
    },
    {
      parsers: createInlineParsers(),
      outputEvaluator: createInlineEvaluator(),
      logSearcher: { search: (request) => answerSearch(request, localRunFiles) },
      runFiles: localRunFiles,
      // The runner starts with the first function, and these specs have none.
      jsRunner: createJsRunner({ hostFile: folder.file('js-host.js') }),
      ...runStore,
      runIndex: createInMemoryRunIndex(given.platform?.runs ?? runStore.runs),
      flags: createInMemoryDagFlagRepository(),
      dagRevisions: createInMemoryDagRevisionRepository(),
      eventLog: createInMemoryEventLogRepository(),
      auditLog: createInMemoryAuditLogRepository(),
      webhooks: createInMemoryWebhookRepository(),
      webhookDeliveries: createInMemoryWebhookDeliveryRepository(),
      notifications: createInMemoryNotificationRepository(),
      calendars: createInMemoryCalendarRepository(),
      remoteNodes: createInMemoryRemoteNodeRepository(),
      workerTokens: createInMemoryWorkerTokenRepository(),
      outboxSignal: createOutboxSignal(),
      gitSync: createInMemoryGitSyncStore(),
      agentStores: createInMemoryAgentStores(),
      backfills: createInMemoryBackfillRepository(),
      agentSessions: createInMemorySessionRepository(),
      workers: createInMemoryWorkerRepository(),
      isShared: false,
      schedulerState: createInMemorySchedulerStateRepository(),
      state: createInMemoryStateRepository(),
      workspaces: createInMemoryWorkspaceRepository(),
      secrets: createInMemorySecretRepository(),
      profiles: createInMemoryProfileRepository(),
      secondFactors: createInMemorySecondFactorRepository(),
      sealer: createSealer(() => Promise.resolve([createLocalKey(Buffer.alloc(32, 7))])),
      retained: {
        dagNamesAfter: inMemoryDagNames(given.platform?.runs ?? runStore.runs),
        freeSpace: () => Promise.resolve(),
      },
      checkDatabase: () => Promise.resolve(true),
      readRevision: () => undefined,
      ...given.platform,
    },
  );
  if (isStarted) await application.start(roles);
  const api = await createTestApi({ features: [application], audit: application.audit, passOn: application.passOn });
  return {
    api,
    application,
    folder,
    addDag: async (fileName, spec) => {
      await writeFile(folder.file('dags', `${fileName}.yaml`), spec);
      await application.files.catalog.index(fileName);
    },
    createKey: async (role, workspaces) => {
      const grants = Object.entries(workspaces ?? {}).map(([workspace, granted]) => ({ workspace, role: granted }));
      const workspaceAccess = { all: workspaces === undefined, grants };
      return (await api.addApiKey({ role, workspaceAccess })).key;
    },
    stop: async () => {
      await api.stop();
      await application.stop();
      await folder.remove();
    },
  };
}
