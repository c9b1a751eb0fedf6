import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowClient } from '@weir/workflow-client';
import { runStatus } from '@weir/workflow-engine/model';
import { resolveDagName } from '../shared/find-runnable-target';
import type { StoreCommand } from '../shared/program-host';
import { readRun, type RunAddress } from '../shared/run-queries';
import { withApi } from '../shared/with-api';
import { readChildren } from './child-runs';
import { isSuccess } from './follow-run';
import { formatRunTree } from './run-tree';
import { waitingCommands } from './waiting-commands';

export interface WatchOptions extends StoreCommand {
  readonly dag: string;
  /** Default: the newest run of the DAG. */
  readonly runId?: string | undefined;
}

const pollMs = 250;

/**
 * Shows a run as a tree of its steps and child runs until it has ended or waits for a person: a terminal is updated
 * in place, other outputs get the tree once for each change. Returns the exit code: 0 when all of it succeeded or
 * waits. Ctrl-C ends the command, not the run.
 */
export async function watchRun(options: WatchOptions): Promise<number> {
  const { signals } = options;
  const interruption = new AbortController();
  const onSignal = (): void => interruption.abort();
  signals.on('SIGINT', onSignal);
  signals.on('SIGTERM', onSignal);
  const dagName = await resolveDagName(options, options.dag);
  return withApi(options, async (client) => {
    const { dagRunId } = await readRun(client, { dagName, dagRunId: options.runId });
    return show(client, { dagName, dagRunId }, { ...options, signal: interruption.signal });
  });
}

type ShowOptions = WatchOptions & { readonly signal: AbortSignal };

async function show(client: WorkflowClient, address: RunAddress, options: ShowOptions): Promise<number> {
  let drawn: readonly string[] = [];
  for (;;) {
    const run = await readRun(client, address);
    const isOver = runStatus.isTerminal(run.statusLabel) || runStatus.isWaiting(run.statusLabel);
    const children = await readChildren(client, run);
    const waiting = [run, ...children.map((child) => child.run)].flatMap(waitingCommands);
    const lines = [...formatRunTree(run, children), ...waiting];
    if (lines.join('\n') !== drawn.join('\n')) {
      options.print(`${options.isColored ? erase(drawn.length) : ''}${lines.join('\n')}`);
      drawn = lines;
    }
    if (isOver) return isSuccess(run) || runStatus.isWaiting(run.statusLabel) ? 0 : 1;
    await delay(pollMs, undefined, { signal: options.signal }).catch(() => undefined);
    if (options.signal.aborted) return 0;
  }
}

/** Moves up to the first of these lines, and removes everything below. */
function erase(lines: number): string {
  return lines === 0 ? '' : `\u001B[${lines}A\u001B[0J`;
}
