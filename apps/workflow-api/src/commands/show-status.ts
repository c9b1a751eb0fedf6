import { runLine, stepLine } from './follow-run';
import type { StoreCommand } from './program-host';
import { dagNameOf } from './runnable-target';
import { withRunControl } from './with-run-control';

export interface StatusOptions extends StoreCommand {
  readonly dag: string;
  /** The newest run of the DAG when left out. */
  readonly runId?: string | undefined;
}

/** Prints the word of the run's state, then the run and its steps. Returns the exit code. */
export async function showStatus(options: StatusOptions): Promise<number> {
  const address = { dagName: await dagNameOf(options, options.dag), dagRunId: options.runId };
  const run = await withRunControl(options, (control) => control.status(address));
  options.print([run.status, runLine(run), ...run.steps.map(stepLine)].join('\n'));
  return 0;
}
