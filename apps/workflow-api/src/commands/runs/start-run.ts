import type { RunTarget } from '../../features/dags';
import { executeRun, type RunStart } from './execute-run';
import { findRunnableTarget } from '../shared/find-runnable-target';
import type { StoreCommand } from '../shared/program-host';
import { toSpecRequest, toStartOptions, type RunFlags } from './run-flags';

export interface StartRunOptions extends StoreCommand, RunFlags {
  /** A path, or the name of a DAG in the DAGs folder. */
  readonly target: string;
}

/** Executes one run and shows it; returns the exit code. */
export async function startRun(options: StartRunOptions): Promise<number> {
  const target = await findRunnableTarget(options, options.target);
  if (target === undefined) return 1;
  const shown = options.quiet === true ? { ...options, print: () => undefined } : options;
  return executeRun(shown, newRun(target, options));
}

export function newRun(target: RunTarget, flags: RunFlags): RunStart {
  return {
    word: 'started',
    here: async ({ application: { worker, startRun: start } }) => {
      const run = await start(target, { ...toStartOptions(flags), ownerId: worker.id });
      void worker.execute(run.id);
      return run;
    },
    onServer: async (client) => {
      const { name: dagName, dagRunId } = (await client.POST('/dag-runs', { body: toSpecRequest(target, flags) })).data;
      return { dagName, dagRunId };
    },
  };
}
