import { setTimeout as delay } from 'node:timers/promises';
import type { RunSnapshot, StepSnapshot } from '../features/local-control';

export interface FollowOptions {
  readonly read: () => Promise<RunSnapshot>;
  readonly print: (text: string) => void;
  /** Pause between two looks. Default 100 ms. */
  readonly pollMs?: number;
}

/**
 * Prints a line for each step that ends, and one for the run. Resolves with how the run ended, or waits for a person.
 */
export async function followRun({ read, print, pollMs = 100 }: FollowOptions): Promise<RunSnapshot> {
  const printed = new Set<string>();
  for (;;) {
    const run = await read();
    for (const step of run.steps) {
      const line = `${step.handler ?? ''}/${step.name}`;
      if (printed.has(line) || !(step.isEnded || (run.isWaiting && step.isWaiting))) continue;
      printed.add(line);
      print(stepLine(step));
    }
    if (run.isEnded || run.isWaiting) {
      print(runLine(run));
      return run;
    }
    await delay(pollMs);
  }
}

export function stepLine({ name, handler, status, startedAt, finishedAt, error }: StepSnapshot): string {
  const [reason] = (error ?? '').split('\n');
  const shown = handler === undefined ? name : `on ${handler}`;
  return `  ${shown}: ${status}${duration(startedAt, finishedAt)}${reason ? ` - ${reason}` : ''}`;
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
