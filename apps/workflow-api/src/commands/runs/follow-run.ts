import { setTimeout as delay } from 'node:timers/promises';
import type { DagRunDetails, Node } from '@weir/workflow-contract/schemas';
import { runStatus, nodeStatus } from '@weir/workflow-engine/model';

const pollMs = 100;

export interface FollowOptions {
  readonly read: () => Promise<DagRunDetails>;
  readonly print: (text: string) => void;
  /** Waits for so many milliseconds, or less when the run has changed. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Prints a line for each step that ends, and one for the run. Resolves with the run once it has ended or waits for a
 * person.
 */
export async function followRun({ read, print, pause = delay }: FollowOptions): Promise<DagRunDetails> {
  const printed = new Set<string>();
  for (;;) {
    const run = await read();
    const isWaiting = runStatus.isWaiting(run.statusLabel);
    for (const [name, node] of listSteps(run)) {
      const isDone = nodeStatus.isTerminal(node.statusLabel) || (isWaiting && nodeStatus.isWaiting(node.statusLabel));
      if (printed.has(name) || !isDone) continue;
      printed.add(name);
      print(formatStep(name, node));
    }
    if (isWaiting || runStatus.isTerminal(run.statusLabel)) {
      print(formatRun(run));
      return run;
    }
    await pause(pollMs);
  }
}

/** A run whose precondition did not hold counts as a success; a partial success contains a failure. */
export function isSuccess({ statusLabel, nodes }: DagRunDetails): boolean {
  const statuses = nodes.map((node) => node.statusLabel);
  return runStatus.isWhollySuccessful(statusLabel) || runStatus.isDeclined(statusLabel, statuses);
}

/** Returns the lines of the current state of a run and its steps. */
export function formatSteps(run: DagRunDetails): readonly string[] {
  return listSteps(run).map(([name, node]) => formatStep(name, node));
}

export function formatRun(run: DagRunDetails): string {
  const { name, dagRunId, statusLabel, error, log } = run;
  const reason = error === undefined ? '' : ` - ${error}`;
  const details = isSuccess(run) || !runStatus.isTerminal(statusLabel) ? reason : `${reason}; log: ${log}`;
  return `${name} ${dagRunId}: ${statusLabel}${formatDuration(run)}${details}`;
}

export type ListedStep = readonly [label: string, node: Node];

/** Returns the steps and, once the run has ended or waits, the handlers that were executed, each with its displayed name. */
export function listSteps(run: DagRunDetails): readonly ListedStep[] {
  const steps = run.nodes.map((node) => [node.step.name, node] as const);
  if (!runStatus.isTerminal(run.statusLabel) && !runStatus.isWaiting(run.statusLabel)) return steps;
  const handlers = {
    init: run.onInit,
    wait: run.onWait,
    success: run.onSuccess,
    failure: run.onFailure,
    abort: run.onAbort,
    exit: run.onExit,
  };
  const executed = Object.entries(handlers).flatMap(([kind, node]) =>
    node === undefined || nodeStatus.isUnstarted(node.statusLabel) ? [] : [[`on ${kind}`, node] as const],
  );
  return [...steps, ...executed];
}

export function formatStep(name: string, node: Node): string {
  const [reason] = (node.error ?? '').split('\n');
  return `  ${name}: ${node.statusLabel}${formatBuild(node)}${formatDuration(node)}${reason ? ` - ${reason}` : ''}`;
}

/** Explains why a step of a build succeeded without having executed. */
function formatBuild({ build }: Node): string {
  if (build === 'up_to_date') return ', up to date';
  return build === 'restored' ? ', restored' : '';
}

function formatDuration({ startedAt, finishedAt }: Pick<Node, 'startedAt' | 'finishedAt'>): string {
  if (startedAt === '' || finishedAt === '') return '';
  return ` (${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(2)} s)`;
}
