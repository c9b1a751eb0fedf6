import type { StoreCommand } from './program-host';
import { toStartOptions, type RunFlags } from './run-flags';
import { findRunnableTarget } from './find-runnable-target';
import { withRunControl } from './with-run-control';

export interface EnqueueOptions extends StoreCommand, RunFlags {
  readonly target: string;
}

/** Stores a run as queued; whichever server is free carries it out. Returns the exit code. */
export async function enqueueRun(options: EnqueueOptions): Promise<number> {
  const target = await findRunnableTarget(options, options.target);
  if (target === undefined) return 1;
  const { specText, name, fileName } = target;
  const request = { specText, name, fileName, ...toStartOptions(options) };
  const run = await withRunControl(options, (control) => control.enqueue(request));
  options.print(`${run.dagName} ${run.dagRunId}: queued`);
  return 0;
}
