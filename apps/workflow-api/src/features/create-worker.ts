import { hostname } from 'node:os';
import path from 'node:path';
import {
  createLocalCommandExecutor,
  createMailSender,
  systemTimer,
  type DagRun,
  createPermits,
  type ChildRuns,
} from '@weir/workflow-engine';
import { hasErrors } from '@weir/workflow-spec';
import type { SpecReader } from '../dag-parser';
import { parseStored, type RunRetrier, type RunStopper, type StartRun, type WaitForRun } from './dag-runs';
import { findRunTarget, specInvalid, type DagFileStore } from './dags';
import { createLoopHeartbeat, createScriptFolder, Worker } from './worker';
import type { WorkflowFeaturesOptions, WorkflowStores } from './workflow-features';

const defaultStepProcesses = 64;

/** What runs of other DAGs are begun by. */
export interface ChildRunParts {
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  readonly startRun: StartRun;
  readonly waitForRun: WaitForRun;
  readonly worker: Worker;
  readonly retrier: RunRetrier;
  readonly stopper: RunStopper;
}

/** The worker begins runs for steps by what is itself put together with the worker. */
export function createChildRuns(parts: () => ChildRunParts): ChildRuns {
  return {
    findDag: async (text, folder) => {
      const { store, specs } = parts();
      const target = await findRunTarget(text, { store, specs, workingDirectory: folder });
      if (hasErrors(target.findings)) throw specInvalid(target.findings);
      return target;
    },
    start: (source, options) => parts().startRun(source, options),
    execute: ({ id }) => parts().worker.execute(id),
    retry: async (run, ownerId) => {
      await parts().retrier.retry(run, { ownerId });
      return { ended: parts().worker.execute(run.id, run.fencingToken + 1) };
    },
    waitFor: (id, isReached, signal) => parts().waitForRun(id, isReached, signal),
    stop: async (id) => {
      await parts().stopper.ask(id);
    },
  };
}

/** Carries out runs in this process; nothing happens before it is started. */
export function createWorker(options: WorkflowFeaturesOptions, stores: WorkflowStores, children: ChildRuns): Worker {
  const { parsers, outputEvaluator, jsRunner, spawner, runs, queue, workers, isShared, state } = stores;
  const { clock, random, logger, hostEnvironment, dagsFolder, dataFolder, defaultShell } = options;
  const id = random.uuid();
  const scripts = createScriptFolder(path.join(dataFolder, 'scripts'), id);
  const identity = { id, host: hostname(), pid: process.pid, startedAt: clock.now() };
  const dependencies = {
    identity,
    heartbeat: stores.createHeartbeat?.(identity, logger) ?? createLoopHeartbeat({ workers, identity, logger }),
    workers,
    runs,
    queue,
    parser: { parse: (run: DagRun) => parseStored(parsers.forServer, run) },
    commands: createLocalCommandExecutor({ clock, tempDir: scripts.path, ...(spawner ? { spawner } : {}) }),
    outputEvaluator,
    runJs: jsRunner.run,
    children,
    sendMail: createMailSender(),
    state,
    scripts,
    processPermits: createPermits(options.maxStepProcesses ?? defaultStepProcesses),
    isShared,
    // Where others may take a run, a look for it is all there is.
    ...(isShared ? { pollMs: 250 } : { recoverMs: 10_000 }),
    hostEnv: hostEnvironment,
    passthrough: options.passthrough,
    dagsDir: dagsFolder,
    defaultShell,
    clock,
    timer: systemTimer,
    logger,
  };
  return new Worker(dependencies);
}
