import { executeRunCommand } from './execute-run';
import type { StoreCommand } from './program-host';
import { resolveDagName } from './find-runnable-target';

export interface RetryOptions extends StoreCommand {
  readonly dag: string;
  readonly runId: string;
  /** The only step that is carried out again. */
  readonly step?: string | undefined;
  readonly downstream?: boolean | undefined;
}

/** Carries an ended run out again, under its id, and shows it. Returns the exit code. */
export async function retryRun(options: RetryOptions): Promise<number> {
  const { dag, runId: dagRunId, step, downstream } = options;
  const order = { dagName: await resolveDagName(options, dag), dagRunId, step, downstream };
  return executeRunCommand(options, {
    word: 'retried',
    here: async ({ runControl }) => (await runControl.retry(order)).id,
    there: (_, control) => control.retry(order),
  });
}
