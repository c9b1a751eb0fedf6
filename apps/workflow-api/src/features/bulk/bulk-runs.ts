import type { ServerEvent } from '@weir/http-contract';
import type { Logger } from '@weir/service-kit';
import type { UserRole } from '@weir/workflow-contract';
import type { DagRun, DagRunSummary } from '@weir/workflow-engine/model';
import type { Requester } from '../../access/audited-operation';
import type { DagRuns, RunAddress, RunFilter } from '../runs';
import { changeAll, type BulkRequest, type BulkRequester } from './change-all';

export interface BulkRunsDependencies {
  readonly dagRuns: Pick<DagRuns, 'service' | 'decisions' | 'addresses' | 'retrier' | 'stopper'>;
  readonly logger: Logger;
}

export interface BulkRunsRequest extends BulkRequest {
  readonly action: 'retry' | 'stop' | 'dequeue' | 'delete';
  readonly filter: RunFilter;
  readonly only?: readonly RunAddress[] | undefined;
}

interface RunAction {
  readonly needed: UserRole;
  readonly check: (run: DagRun) => Promise<void> | void;
  readonly perform: (address: RunAddress, requester: Requester) => Promise<void>;
}

const pageSize = 500;

/** Resolves when the filter was accepted. Throws `workspace_not_found`. */
export async function changeRuns(
  { dagRuns, logger }: BulkRunsDependencies,
  request: BulkRunsRequest,
  { principal, audit, signal }: BulkRequester,
): Promise<AsyncGenerator<ServerEvent>> {
  const { needed, check, perform } = runActions(dagRuns)[request.action];
  const { service, addresses } = dagRuns;
  const first = await service.list({ ...request.filter, limit: pageSize }, principal);
  const readPage = (cursor: string) => service.list({ ...request.filter, limit: pageSize, cursor }, principal);
  const change = {
    describe: ({ dagName, dagRunId }: DagRunSummary) => ({ name: dagName, dagRunId }),
    check: async (run: DagRunSummary) => check(await addresses.toChange(toAddress(run), principal, needed)),
    perform: async (run: DagRunSummary) => {
      await audit.inPart({ resourceId: `${run.dagName}/${run.dagRunId}`, principal }, (requester) =>
        perform(toAddress(run), requester),
      );
      return undefined;
    },
  };
  const runs = allRuns(first, readPage);
  const chosen = request.only === undefined ? runs : these(runs, request.only);
  return changeAll(chosen, change, { request, signal, logger });
}

function runActions({ service, decisions, retrier, stopper }: BulkRunsDependencies['dagRuns']) {
  return {
    retry: {
      needed: 'operator',
      check: (run) => retrier.check(run),
      perform: (address, requester) => decisions.retry(address, {}, requester),
    },
    stop: {
      needed: 'operator',
      check: stopper.checkStop,
      perform: (address, requester) => service.stop(address, requester),
    },
    dequeue: {
      needed: 'operator',
      check: stopper.checkDequeue,
      perform: (address, requester) => service.dequeue(address, requester),
    },
    delete: {
      needed: 'developer',
      check: decisions.checkRemove,
      perform: (address, { principal }) => decisions.remove(address, principal),
    },
  } as const satisfies Record<BulkRunsRequest['action'], RunAction>;
}

type Page = Awaited<ReturnType<BulkRunsDependencies['dagRuns']['service']['list']>>;

/** Reads the newest runs first, so runs that are created meanwhile are not reached, and deleted ones move no others. */
async function* allRuns(first: Page, readPage: (cursor: string) => Promise<Page>): AsyncGenerator<DagRunSummary> {
  for (let page = first; ; page = await readPage(page.nextCursor)) {
    yield* page.runs;
    if (page.nextCursor === undefined) return;
  }
}

/** Reads no further than the last of the selected runs. */
async function* these(runs: AsyncIterable<DagRunSummary>, only: readonly RunAddress[]): AsyncGenerator<DagRunSummary> {
  const keyOf = ({ name, dagRunId }: RunAddress): string => JSON.stringify([name, dagRunId]);
  const missing = new Set(only.map(keyOf));
  for await (const run of runs) {
    if (missing.delete(keyOf(toAddress(run)))) yield run;
    if (missing.size === 0) return;
  }
}

function toAddress({ dagName, dagRunId }: DagRunSummary): RunAddress {
  return { name: dagName, dagRunId };
}
