import { unaudited } from '../../access/audited-operation';
import { operatorName } from '../../adapters/operator-name';
import type { RunTarget } from '../../features/dags';
import { callFromStep, isInStep } from './call-from-step';
import { executeRun, type RunStart } from './execute-run';
import { findRunnableTarget, renameTarget } from '../shared/find-runnable-target';
import type { StoreCommand } from '../shared/program-host';
import { isRemoteName, startRemoteRun, toForeignRequest } from './remote-run';
import { toSpecRequest, toStartOptions, type RunFlags } from './run-flags';

export interface StartRunOptions extends StoreCommand, RunFlags {
  /** A path, or the name of a DAG in the DAGs folder. */
  readonly target: string;
}

/** Executes one run and shows it; returns the exit code. */
export async function startRun(options: StartRunOptions): Promise<number> {
  if (isInStep(options)) return callFromStep('start', quieted(options));
  if (isRemoteName(options)) return startRemoteRun(quieted(options));
  const target = await findRunnableTarget(options, options.target);
  if (target === undefined) return 1;
  return executeRun(quieted(options), newRun(renameTarget(target, options.name), options));
}

/** Prints nothing when only errors are asked for. */
export function quieted<Options extends Pick<StartRunOptions, 'quiet' | 'print'>>(options: Options): Options {
  return options.quiet === true ? { ...options, print: () => undefined } : options;
}

export function newRun(target: RunTarget, flags: RunFlags & Pick<StoreCommand, 'context'>): RunStart {
  return {
    word: 'started',
    here: async ({ application: { worker, startRun: start } }) => {
      const run = await start(target, {
        ...toStartOptions(flags),
        startedBy: { kind: 'command', name: operatorName() },
        mayUseProtected: true,
        ownerId: worker.id,
        audit: unaudited,
      });
      void worker.execute(run.id);
      return run;
    },
    onServer: async (client) => {
      const body = flags.context ? toForeignRequest(target, flags) : toSpecRequest(target, flags);
      const { name: dagName, dagRunId } = (await client.POST('/dag-runs', { body })).data;
      return { dagName, dagRunId };
    },
  };
}
