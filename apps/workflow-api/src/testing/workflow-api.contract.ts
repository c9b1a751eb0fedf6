import { mkdir, writeFile } from 'node:fs/promises';
import { createRecordingLogger, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import type { UserRole } from '@weir/workflow-contract';
import { systemClock, type Clock } from '../adapters/clock';
import { systemRandom } from '../adapters/random-source';
import { createInlineParsers } from '../dag-parser';
import { createInMemoryRunStore } from '../features/dag-runs';
import { createInMemoryDagFlagRepository } from '../features/dags';
import { createInMemoryWorkerRepository } from '../features/worker';
import { createInMemorySchedulerStateRepository } from '../features/scheduler';
import { inMemoryDagNames } from '../features/retention';
import { createInMemoryStateRepository } from '../features/state';
import {
  assembleWorkflow,
  type WorkflowFeatures,
  type WorkflowFeaturesOptions,
  type WorkflowStores,
} from '../features/workflow-features';
import { createJsRunner } from '../js-run';
import { createTestApi, type TestApi } from './test-api.contract';
import { createInlineEvaluator } from './inline-evaluator.contract';

export interface TestWorkflow {
  readonly api: TestApi;
  readonly workflow: WorkflowFeatures;
  readonly folder: TemporaryFolder;
  /** Puts a DAG file into the folder and has it indexed. */
  readonly addDag: (fileName: string, spec: string) => Promise<void>;
  /** A key that acts in this role, everywhere or, as a viewer otherwise, in these workspaces. */
  readonly createKey: (role: UserRole, workspaces?: Readonly<Record<string, UserRole>>) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface TestWorkflowOptions {
  readonly stores?: Partial<WorkflowStores>;
  readonly options?: Partial<WorkflowFeaturesOptions>;
  readonly withWorker?: boolean;
  /** False leaves the folder unread. */
  readonly isStarted?: boolean;
  readonly clock?: Clock;
}

export const hostEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', SHELL: '/bin/sh' };

/** DAGs and runs as composed in production, over stores in memory and a folder of their own. */
export async function createTestWorkflow(given: TestWorkflowOptions = {}): Promise<TestWorkflow> {
  const { clock = systemClock, withWorker = false, isStarted = true } = given;
  const folder = temporaryFolder();
  await mkdir(folder.file('dags'));
  const runStore = createInMemoryRunStore();
  const workflow = await assembleWorkflow(
    {
      clock,
      random: systemRandom,
      logger: createRecordingLogger(),
      version: '1.2.3',
      hostEnvironment,
      passthrough: { names: [], prefixes: [] },
      basePath: '',
      dagsFolder: folder.file('dags'),
      baseConfig: { file: folder.file('base.yaml'), isRequired: false },
      logFolder: folder.file('logs'),
      dataFolder: folder.file('data'),
      ...given.options,
    },
    {
      parsers: createInlineParsers(),
      outputEvaluator: createInlineEvaluator(),
      // Started by the first function only: these specs have none.
      jsRunner: createJsRunner({ hostFile: folder.file('js-host.js') }),
      ...runStore,
      flags: createInMemoryDagFlagRepository(),
      workers: createInMemoryWorkerRepository(),
      schedulerState: createInMemorySchedulerStateRepository(),
      state: createInMemoryStateRepository(),
      retained: {
        dagNamesAfter: inMemoryDagNames(given.stores?.runs ?? runStore.runs),
        freeSpace: () => Promise.resolve(),
      },
      checkDatabase: () => Promise.resolve(true),
      isShared: true,
      ...given.stores,
    },
  );
  if (isStarted) await workflow.start({ withWorker: withWorker });
  const api = await createTestApi({ features: [workflow] });
  return {
    api,
    workflow,
    folder,
    addDag: async (fileName, spec) => {
      await writeFile(folder.file('dags', `${fileName}.yaml`), spec);
      await workflow.catalog.index(fileName);
    },
    createKey: async (role, workspaces) => {
      const grants = Object.entries(workspaces ?? {}).map(([workspace, granted]) => ({ workspace, role: granted }));
      const workspaceAccess = { all: workspaces === undefined, grants };
      return (await api.addApiKey({ role, workspaceAccess })).key;
    },
    stop: async () => {
      await api.stop();
      await workflow.stop();
      await folder.remove();
    },
  };
}
