import { readHumanTask } from '@weir/workflow-contract';
import type { DagRunDetails, Node } from '@weir/workflow-contract/schemas';
import { nodeStatus } from '@weir/workflow-engine/model';
import { resolveDagName } from '../shared/find-runnable-target';
import { readWaitingRuns } from './child-runs';
import { formatRun, formatSteps, listSteps } from './follow-run';
import { toListedRun, toUtc } from './show-history';
import { waitingCommands } from './waiting-commands';
import type { ListFormat } from '../shared/formats';
import { printList } from '../shared/print-list';
import type { StoreCommand } from '../shared/program-host';
import { readRun } from '../shared/run-queries';
import { withApi } from '../shared/with-api';

export interface StatusOptions extends StoreCommand {
  readonly dag: string;
  /** Default: the newest run of the DAG. */
  readonly runId?: string | undefined;
  readonly format: ListFormat;
}

/** Prints the word of the run's status, then the run, its steps, the models that they asked, and its questions to people. Returns the exit code. */
export async function showStatus(options: StatusOptions): Promise<number> {
  const address = { dagName: await resolveDagName(options, options.dag), dagRunId: options.runId };
  const { run, waiting } = await withApi(options, async (client) => {
    const found = await readRun(client, address);
    return { run: found, waiting: await readWaitingRuns(() => client, found) };
  });
  const questions = [...waiting.flatMap(formatQuestions), ...waiting.flatMap(waitingCommands)];
  const lines = [run.statusLabel, formatRun(run), ...formatSteps(run), ...formatModelUse(run), ...questions];
  const table = (): string => lines.join('\n');
  printList({ value: toListedSteps(run), table }, options);
  return 0;
}

/** Prints, like the history, neither parameters nor free text, which may contain confidential values. */
function toListedSteps(run: DagRunDetails) {
  const steps = listSteps(run).map(([name, { statusLabel, startedAt, finishedAt, error }]) => ({
    name,
    status: statusLabel,
    startedAt: toUtc(startedAt),
    finishedAt: toUtc(finishedAt),
    error: error ?? null,
  }));
  return { ...toListedRun(run), steps, modelUse: run.modelUse ?? [] };
}

function formatModelUse({ modelUse = [] }: DagRunDetails): readonly string[] {
  return modelUse.map(({ provider, model, inputTokens, outputTokens, cachedTokens, cost }) => {
    const price = cost === undefined ? '' : `, ${Number(cost.toPrecision(3))} US dollars`;
    return `${provider} ${toLine(model)}: ${inputTokens} tokens read (${cachedTokens} cached), ${outputTokens} written${price}`;
  });
}

function formatQuestions({ nodes }: DagRunDetails): readonly string[] {
  return nodes.filter((node) => nodeStatus.isWaiting(node.statusLabel)).flatMap(formatQuestion);
}

function formatQuestion({ step }: Node): readonly string[] {
  const task = readHumanTask(step.executorConfig);
  if (task !== undefined) {
    const form = Object.keys(task.form).length === 0 ? [] : [`form: ${JSON.stringify(task.form)}`];
    return [`step id: ${step.id ?? step.name}`, `prompt: ${toLine(task.prompt)}`, ...form];
  }
  const { approval } = step;
  if (approval === undefined) return [];
  const input = JSON.stringify(approval.input ?? []);
  return [`step: ${step.name}`, `prompt: ${toLine(approval.prompt ?? '')}`, `input: ${input}`];
}

function toLine(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n]\s*/g, ' ');
}
