import { AppError } from '@weir/foundation';
import type { ListFormat } from '../shared/formats';
import type { StoreCommand } from '../shared/program-host';
import { printList } from '../shared/print-list';
import { formatTable } from '../shared/table';
import { withApi } from '../shared/with-api';

export interface ListDeadLettersOptions extends StoreCommand {
  readonly queue?: string | undefined;
  readonly format: ListFormat;
}

const columns = ['GIVEN UP', 'QUEUE', 'DAG', 'RUN', 'FAILURES', 'REASON'];
const reasons = { worker_lost: 'worker lost', not_executed: 'not executed' } as const;

/** Prints the runs that were given up. Returns the exit code. */
export async function listDeadLetters(options: ListDeadLettersOptions): Promise<number> {
  const { queue } = options;
  const { deadLetters } = await withApi(options, async (client) => {
    return (await client.GET('/dead-letters', { params: { query: { queue } } })).data;
  });
  const rows = deadLetters.map(({ at, queue: name, run, failures, reason }) => {
    return [at, name, run.name, run.dagRunId, String(failures), reasons[reason]];
  });
  printList({ value: { deadLetters }, table: () => formatTable([columns, ...rows]) }, options);
  return 0;
}

export interface RedriveOptions extends StoreCommand {
  readonly all?: boolean | undefined;
  readonly queue?: string | undefined;
  readonly runId?: string | undefined;
}

/** Queues runs again that were given up. Returns the exit code: 1 when one was refused. */
export async function redriveDeadLetters(options: RedriveOptions): Promise<number> {
  const { all = false, queue, runId: dagRunId, print, printError } = options;
  if (all === (queue !== undefined || dagRunId !== undefined)) {
    const message = 'Name a queue with --queue, a run with --run-id, or ask for --all.';
    throw new AppError('invalid_request', message, { reason: 'request_invalid' });
  }
  const { redriven, refused } = await withApi(options, async (client) => {
    return (await client.POST('/dead-letters/redrive', { body: { queue, dagRunId } })).data;
  });
  for (const run of redriven) print(`${run.name} ${run.dagRunId}: queued`);
  for (const run of refused) printError(`weir: ${run.name} ${run.dagRunId}: ${run.reason}`);
  if (redriven.length + refused.length === 0) print('no runs that were given up');
  return refused.length === 0 ? 0 : 1;
}
