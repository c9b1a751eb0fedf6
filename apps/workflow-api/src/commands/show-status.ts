import type { Gate } from '../features/local-control';
import { runLine, stepLine } from './follow-run';
import type { StoreCommand } from './program-host';
import { resolveDagName } from './find-runnable-target';
import { withRunControl } from './with-run-control';

export interface StatusOptions extends StoreCommand {
  readonly dag: string;
  /** The newest run of the DAG when left out. */
  readonly runId?: string | undefined;
}

/**
 * Prints the word of the run's state, then the run, its steps, and what people are asked. Returns the exit code.
 */
export async function showStatus(options: StatusOptions): Promise<number> {
  const address = { dagName: await resolveDagName(options, options.dag), dagRunId: options.runId };
  const { run, gates } = await withRunControl(options, async (control) => {
    const found = await control.status(address);
    const { dagName, dagRunId } = found;
    return { run: found, gates: found.isEnded ? [] : await control.gates({ dagName, dagRunId }) };
  });
  options.print([run.status, runLine(run), ...run.steps.map(stepLine), ...gates.flatMap(gateLines)].join('\n'));
  return 0;
}

function gateLines({ kind, name, id, prompt, asks }: Gate): readonly string[] {
  const text = prompt.trim().replaceAll(/\s*[\r\n]\s*/g, ' ');
  const asked = JSON.stringify(asks);
  return kind === 'human_task'
    ? [`step id: ${id ?? name}`, `prompt: ${text}`, `form: ${asked}`]
    : [`step: ${name}`, `prompt: ${text}`, `input: ${asked}`];
}
