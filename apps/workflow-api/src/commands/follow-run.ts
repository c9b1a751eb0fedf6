import { setTimeout as delay } from 'node:timers/promises';
import type { RunSnapshot, StepSnapshot } from '../features/local-control';

export interface FollowOptions {
  readonly read: () => Promise<RunSnapshot>;
  readonly print: (text: string) => void;
  /** Pause between two looks. Default 100 ms. */
  readonly pollMs?: number;
}

/** Prints a line for each step that ends, and one for the run. Resolves with how the run ended. */
export async function followRun({ read, print, pollMs = 100 }: FollowOptions): Promise<RunSnapshot> {
  const printed = new Set<string>();
  for (;;) {
    const run = await read();
    for (const step of run.steps) {
      if (!step.isEnded || printed.has(step.name)) continue;
      printed.add(step.name);
      print(stepLine(step));
    }
    if (run.isEnded) {
      print(runLine(run));
      return run;
    }
    await delay(pollMs);
  }
}

export function stepLine({ name, status, startedAt, finishedAt, error }: StepSnapshot): string {
  const [reason] = (error ?? '').split('\n');
  return `  ${name}: ${status}${duration(startedAt, finishedAt)}${reason ? ` - ${reason}` : ''}`;
}

export function runLine({
  dagName,
  dagRunId,
  status,
  isEnded,
  isSuccess,
  startedAt,
  finishedAt,
  error,
  logFile,
}: RunSnapshot): string {
  const reason = error === null ? '' : ` - ${error}`;
  const details = isSuccess || !isEnded ? reason : `${reason}; log: ${logFile}`;
  return `${dagName} ${dagRunId}: ${status}${duration(startedAt, finishedAt)}${details}`;
}

function duration(from: Date | null, to: Date | null): string {
  if (from === null || to === null) return '';
  return ` (${((to.getTime() - from.getTime()) / 1000).toFixed(2)} s)`;
}
