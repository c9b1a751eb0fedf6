import type { StoppedRun } from '../features/local-control';
import type { StoreCommand } from './program-host';
import { resolveDagName } from './find-runnable-target';
import { withRunControl } from './with-run-control';

export interface StopOptions extends StoreCommand {
  readonly dag: string;
  /** Every run of the DAG when left out. */
  readonly runId?: string | undefined;
}

/** Aborts what waits and asks what runs to end; does not wait for the ends. Returns the exit code. */
export async function stopRuns(options: StopOptions): Promise<number> {
  const address = { dagName: await resolveDagName(options, options.dag), dagRunId: options.runId };
  printStopped(options, await withRunControl(options, (control) => control.stop(address)));
  return 0;
}

/** Takes runs out of the queue. Returns the exit code. */
export async function dequeueRuns(options: StopOptions): Promise<number> {
  const address = { dagName: await resolveDagName(options, options.dag), dagRunId: options.runId };
  printStopped(options, await withRunControl(options, (control) => control.dequeue(address)));
  return 0;
}

function printStopped({ print }: StopOptions, runs: readonly StoppedRun[]): void {
  for (const { dagName, dagRunId, outcome } of runs) {
    print(`${dagName} ${dagRunId}: ${outcome === 'requested' ? 'asked to stop' : 'aborted'}`);
  }
}
