import { AppError } from '@weir/errors';
import { InvalidArgumentError } from 'commander';
import { systemClock } from '../adapters/clock';
import type { RemoveQuery, RunControl } from '../features/local-control';
import type { StoreCommand } from './program-host';
import { resolveDagName } from './find-runnable-target';
import { withRunControl } from './with-run-control';

export interface RemoveOptions extends StoreCommand {
  readonly dag?: string | undefined;
  readonly runId?: string | undefined;
  readonly history: boolean;
  readonly olderThan?: number | undefined;
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Forgets one run that has ended, or those of the history, with their logs. Returns the exit code. */
export async function removeRuns(options: RemoveOptions): Promise<number> {
  const { dag, runId: dagRunId, history, olderThan } = options;
  assertUnambiguous(options);
  const dagName = dag === undefined ? undefined : await resolveDagName(options, dag);
  const endedBefore = olderThan === undefined ? undefined : new Date(systemClock.now().getTime() - olderThan);
  const query = history ? { dagName, endedBefore } : { dagName, dagRunId };
  const count = await withRunControl(options, (control) => removeAll(control, query));
  options.print(count === 1 ? '1 run removed' : `${count} runs removed`);
  return 0;
}

/** Milliseconds of a text such as `30d`. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) {
    throw new InvalidArgumentError('Use a number and a unit out of m, h, d and w, such as 30d.');
  }
  // The pattern lets no other letter through.
  return Number(amount) * units[unit as keyof typeof units];
}

function assertUnambiguous({ dag, runId, history, olderThan }: RemoveOptions): void {
  if (history === (runId !== undefined))
    throw ambiguousRequest('Name one run with --run-id, or ask for many with --history.');
  if (!history && dag === undefined) throw ambiguousRequest('Name the DAG of the run.');
  if (!history && olderThan !== undefined) throw ambiguousRequest('--older-than goes with --history.');
  if (history && dag === undefined && olderThan === undefined) {
    throw ambiguousRequest('Name a DAG or give --older-than: this would remove the history of every DAG.');
  }
}

function ambiguousRequest(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'request_invalid' });
}

/** A piece at a time, so that a server answers between them. */
async function removeAll(control: RunControl, query: RemoveQuery): Promise<number> {
  let count = 0;
  for (let after: RemoveQuery['after']; ;) {
    const removed = await control.remove({ ...query, after });
    count += removed.count;
    if (removed.next === undefined) return count;
    after = removed.next;
  }
}
