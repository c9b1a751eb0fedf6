import { setTimeout as delay } from 'node:timers/promises';
import { styleText } from 'node:util';
import { AppError } from '@weir/foundation';
import { isApiError, type WorkflowClient } from '@weir/workflow-client';
import type { DagRunDetails, LogLine } from '@weir/workflow-contract/schemas';
import { nodeStatus, runStatus } from '@weir/workflow-engine/model';
import { resolveDagName } from '../shared/find-runnable-target';
import type { StoreCommand } from '../shared/program-host';
import { readRun } from '../shared/run-queries';
import { withApi } from '../shared/with-api';
import { readChildren } from './child-runs';
import { formatStep, listSteps, type ListedStep } from './follow-run';
import { LogCursor } from './log-cursor';

export interface LogsOptions extends StoreCommand {
  readonly dag: string;
  /** Default: the newest run of the DAG. */
  readonly runId?: string | undefined;
  /** A step in a loop is named by its address, such as `each/0/load`. Default: every step. */
  readonly step?: string | undefined;
  /** Only the output of this attempt of a step, counted from 1. Default: of all. */
  readonly attempt?: number | undefined;
  /** Whether the command prints until the run has ended. */
  readonly follow: boolean;
  /** Whether the time of each line is printed. */
  readonly times: boolean;
}

const failureLines = 10;
const pollMs = 250;
const colours = ['cyan', 'yellow', 'green', 'magenta', 'blue'] as const;

/**
 * Prints the logs of a run: the last lines of the steps that failed, then every log, each line with the name of its
 * step. Returns the exit code.
 */
export async function showLogs(options: LogsOptions): Promise<number> {
  const address = { dagName: await resolveDagName(options, options.dag), dagRunId: options.runId };
  await withApi(options, async (client) => {
    const first = await readRun(client, address);
    if (options.step !== undefined && !hasStep(first, options.step)) {
      await printLoopStep(client, first, { ...options, step: options.step });
      return;
    }
    if (options.step === undefined) await printFailures(client, first, options);
    await printLogs(client, first, options);
  });
  return 0;
}

function hasStep(run: DagRunDetails, step: string): boolean {
  return listSteps(run).some(([, node]) => node.step.name === step);
}

/** Prints the log of a step that the run does not list, because it is in a loop. Throws `step_not_found`. */
async function printLoopStep(
  client: WorkflowClient,
  first: DagRunDetails,
  options: LogsOptions & { readonly step: string },
): Promise<void> {
  const { name, dagRunId } = first;
  const cursor = new LogCursor(client, { name, dagRunId, stepName: options.step, attempt: options.attempt });
  for (let run = first; ; run = await readRun(client, { dagName: name, dagRunId })) {
    const hasEnded = !options.follow || runStatus.isTerminal(run.statusLabel);
    try {
      await printRead(cursor, hasEnded, '', options);
    } catch (error) {
      if (!isApiError(error) || error.reason !== 'step_not_found') throw error;
      // The iterations of a loop are known once it has started.
      if (hasEnded) throw stepNotFound(first, options.step);
    }
    if (hasEnded) return;
    await delay(pollMs);
  }
}

function stepNotFound(run: DagRunDetails, step: string): AppError {
  const steps = listSteps(run).map(([, node]) => node.step);
  const loop = steps.find(({ executorConfig }) => executorConfig?.type === 'foreach');
  const last = step.slice(step.lastIndexOf('/') + 1);
  const hint = loop === undefined ? '' : ` A step in a loop is LOOP/INDEX/STEP, such as ${loop.name}/0/${last}.`;
  const message = `The run has no step "${step}"; its steps are ${steps.map(({ name }) => name).join(', ')}.${hint}`;
  return new AppError('not_found', message, { reason: 'step_not_found' });
}

/** A step that runs another DAG has failed because of steps of that one: their last lines are shown in its place. */
async function printFailures(client: WorkflowClient, run: DagRunDetails, { print, isColored }: LogsOptions) {
  const hasFailed = ({ statusLabel }: ListedStep[1]): boolean => statusLabel === 'failed';
  const children = await readChildren(client, run, hasFailed);
  const paths = new Map([[run.dagRunId, '']]);
  let isAny = false;
  for (const each of [run, ...children.map((child) => child.run)]) {
    const path = paths.get(each.dagRunId) ?? '';
    for (const [label, node] of listSteps(each).filter(([, step]) => hasFailed(step))) {
      const called = children.filter(({ parentId, step }) => parentId === each.dagRunId && step === node.step.name);
      for (const child of called) paths.set(child.run.dagRunId, `${path}${label} > `);
      if (called.some((child) => child.run.nodes.some(hasFailed))) continue;
      const lines = await cursorOf(client, each, node).readTail(failureLines);
      const heading = `==> ${formatStep(`${path}${label}`, node).trim()}`;
      print(
        [isColored ? styleText('red', heading, { validateStream: false }) : heading, ...lines.map(toText)].join('\n'),
      );
      isAny = true;
    }
  }
  if (isAny) print('');
}

async function printLogs(client: WorkflowClient, first: DagRunDetails, options: LogsOptions): Promise<void> {
  const cursors = new Map<string, LogCursor>();
  for (let run = first; ; run = await readRun(client, { dagName: first.name, dagRunId: first.dagRunId })) {
    const steps = listSteps(run).filter(([, node]) => isChosen(node, options.step));
    for (const [index, [label, node]] of steps.entries()) {
      if (nodeStatus.isUnstarted(node.statusLabel)) continue;
      const cursor = cursors.get(label) ?? cursorOf(client, run, node, options.attempt);
      cursors.set(label, cursor);
      const prefix = options.step === undefined ? toPrefix(label, index, options) : '';
      const hasEnded = !options.follow || nodeStatus.isTerminal(node.statusLabel);
      await printRead(cursor, hasEnded, prefix, options);
    }
    if (!options.follow || runStatus.isTerminal(run.statusLabel)) return;
    await delay(pollMs);
  }
}

/** Prints what was added to a log; a line says which attempt follows. */
async function printRead(cursor: LogCursor, hasEnded: boolean, prefix: string, options: LogsOptions): Promise<void> {
  for await (const line of cursor.read({ hasEnded })) {
    if (cursor.beginsAttempt(line)) options.print(`${prefix}==> attempt ${line.attempt}`);
    options.print(`${prefix}${toTime(line, options)}${toText(line)}`);
  }
}

const isChosen = ({ step }: ListedStep[1], chosen: string | undefined): boolean =>
  chosen === undefined || step.name === chosen;

function cursorOf(
  client: WorkflowClient,
  { name, dagRunId }: DagRunDetails,
  { step }: ListedStep[1],
  attempt?: number,
): LogCursor {
  return new LogCursor(client, { name, dagRunId, stepName: step.name, attempt });
}

function toPrefix(label: string, index: number, { isColored }: LogsOptions): string {
  const text = `${label} | `;
  const colour = colours[index % colours.length] ?? 'cyan';
  return isColored ? styleText(colour, text, { validateStream: false }) : text;
}

const toTime = ({ time }: LogLine, { times }: LogsOptions): string => (times ? `${time ?? '-'} ` : '');

const toText = ({ text, isCut }: LogLine): string => (isCut ? `${text} …` : text);
