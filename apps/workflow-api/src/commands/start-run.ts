import { executeRunCommand, type RunStart } from './execute-run';
import type { RunTarget } from '../features/dags';
import type { StoreCommand } from './program-host';
import { toStartOptions, type RunFlags } from './run-flags';
import { findRunnableTarget } from './find-runnable-target';

export interface StartRunOptions extends StoreCommand, RunFlags {
  /** A path, or the name of a DAG in the DAGs folder. */
  readonly target: string;
}

/** Carries out one run and shows it; returns the exit code. */
export async function startRun(options: StartRunOptions): Promise<number> {
  const target = await findRunnableTarget(options, options.target);
  return target === undefined ? 1 : executeRunCommand(options, newRun(target, options));
}

export function newRun(target: RunTarget, flags: RunFlags): RunStart {
  const { specText, name, fileName } = target;
  const options = toStartOptions(flags);
  return {
    word: 'started',
    here: async ({ worker, startRun: start }) => {
      const { id } = await start(target, { ...options, ownerId: worker.id });
      void worker.execute(id);
      return id;
    },
    there: (client) => client.start({ specText, name, fileName, ...options }),
  };
}
