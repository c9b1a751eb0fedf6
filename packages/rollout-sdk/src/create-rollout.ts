import type { RolloutClient, StartOptions } from './client/rollout-client';
import type { ExportOptions } from './client/rollout-session';
import { readRolloutConfig } from './config/rollout-config';
import { checkScheduler } from './config/scheduler';
import { createInlineRunner } from './episode/inline-runner';
import { createProxyWorkflow } from './episode/proxy-workflow';
import { createProcessPool, type ProcessPool } from './subproc/process-pool';
import { createSubprocRunner } from './subproc/subproc-runner';
import { resolveWorkflow, type ResolvedAgent, type ResolveOptions } from './workflow/resolve-workflow';
import type { RolloutWorkflow } from './episode/workflow';

export interface RolloutOptions {
  readonly client: RolloutClient;
  /** Reads the keys `rollout.llm.mode` and `rollout.llm.subproc_max_workers`. */
  readonly config?: unknown;
  /** Default `local`. */
  readonly scheduler?: string;
  /** Base of relative import paths. Default: the working directory. */
  readonly baseFolder?: string;
  /** The time limit of the agent's `run`. Default 10 min. */
  readonly timeoutMs?: number;
  readonly export?: ExportOptions;
  /** Whether the proxy keeps completed episodes until they are acknowledged, see `createTrainingLog`. Default `false`. */
  readonly keepUntilTrained?: boolean;
  /** The program of a worker process. Default: that of this package. */
  readonly workerFile?: string;
}

/** Workflows of a trainer, over one client and one pool of processes. */
export interface Rollout extends AsyncDisposable {
  /** See `resolveWorkflow`; agents are wrapped in the configured mode. All episodes have the adapter, if one is given. */
  resolve(
    given: unknown,
    options?: Omit<ResolveOptions, 'wrapAgent'> & Pick<StartOptions, 'taskId' | 'adapter'>,
  ): Promise<RolloutWorkflow>;
  /** Ends the processes. */
  close(): Promise<void>;
}

/** Throws `invalid_request` (reasons `config_invalid`, `scheduler_unsupported`). */
export function createRollout(options: RolloutOptions): Rollout {
  checkScheduler(options.scheduler ?? 'local');
  const { mode, subprocMaxWorkers: maxWorkers } = readRolloutConfig(options.config);
  const { client, baseFolder = process.cwd(), workerFile } = options;
  const pool: ProcessPool | undefined =
    mode === 'subproc' ? createProcessPool({ maxWorkers, ...(workerFile !== undefined && { workerFile }) }) : undefined;
  const runnerOf = (resolved: ResolvedAgent) =>
    pool === undefined
      ? createInlineRunner(resolved.agent, client.httpClient.fetch)
      : createSubprocRunner(resolved, pool, baseFolder);
  const close = async (): Promise<void> => {
    await pool?.close();
  };
  return {
    resolve: (given, { taskId, adapter, ...more } = {}) =>
      resolveWorkflow(given, {
        ...more,
        imports: { baseFolder, ...more.imports },
        wrapAgent: (resolved) =>
          createProxyWorkflow({
            client,
            runAgent: runnerOf(resolved),
            ...(taskId !== undefined && { taskId }),
            ...(adapter && { adapter }),
            ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
            ...(options.export !== undefined && { export: options.export }),
            keepUntilTrained: options.keepUntilTrained ?? false,
          }),
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
