import { matchesSelector, runStatus, type DagRunSummary } from '@weir/workflow-engine/model';
import type { StartEstimate } from '@weir/workflow-contract/schemas';
import type { DagRunRepository } from '../runs';
import type { QueueDriver, QueueEntry } from '../queue/store';
import { estimateStart, type RunAhead } from './estimate-start';
import type { ExplanationFacts } from './explanation-facts';

export interface EstimateReader {
  readonly runs: Pick<DagRunRepository, 'listSummaries' | 'scan'>;
  readonly queue: Pick<QueueDriver<never>, 'listHolders' | 'listWaiting'>;
}

const maxAhead = 500;
const maxDags = 50;
/** The number of newest runs of a DAG whose durations count. */
const historyLength = 30;
const everywhere = { unassigned: true, named: 'all' } as const;

/**
 * Returns `undefined` for a run that does not wait in its queue. Runs ahead are never named: the caller may not see
 * all of them.
 */
export async function readEstimate(
  reader: EstimateReader,
  facts: ExplanationFacts,
): Promise<StartEstimate | undefined> {
  const { entry, queue, workers, at } = facts;
  if (entry === undefined || queue === undefined) return undefined;
  const { workerSelector } = facts.run;
  const isClaimable = workers.claiming.some(({ labels }) => matchesSelector(workerSelector, labels));
  if (!isClaimable) return noTime('No worker claims it.');
  if (queue.pause !== undefined && !entry.isUnlimited) return noTime('The queue is paused.');
  const isFree = entry.isUnlimited || (queue.before === 0 && queue.slotsInUse < queue.slots);
  const [holders, before] = isFree
    ? [[], []]
    : await Promise.all([readAhead(reader, entry, true), readAhead(reader, entry, false)]);
  if (holders.length + before.length > maxAhead) return noTime(`More than ${maxAhead} runs are before it.`);
  const names = [...new Set([...holders, ...before].map(({ dagName }) => dagName))];
  if (names.length > maxDags) return noTime(`Runs of more than ${maxDags} DAGs are before it.`);
  const durations = new Map(
    await Promise.all(names.map(async (name) => [name, await readDurations(reader, name)] as const)),
  );
  const slots = isFree ? 1 : queue.slots;
  const startsAt = estimateStart({ at, availableAt: entry.availableAt, slots, holders, before, durations });
  if (startsAt === undefined) return noTime('No run has ended yet of a DAG that is before it.');
  const count = [...durations.values()].reduce((sum, each) => sum + each.length, 0);
  return { startsAt: startsAt.toISOString(), basis: count === 1 ? '1 run' : `${count} runs` };
}

async function readAhead(
  { runs, queue }: EstimateReader,
  { queueName, runId }: QueueEntry,
  isClaimed: boolean,
): Promise<readonly RunAhead[]> {
  const query = { queueName, workspaces: everywhere, limit: maxAhead + 1 };
  const ahead = isClaimed ? await queue.listHolders(query) : until(runId, await queue.listWaiting(query));
  const found = await runs.listSummaries(ahead.map((entry) => entry.runId));
  return ahead.flatMap((entry) => {
    const run = found.get(entry.runId);
    return run === undefined ? [] : [{ dagName: run.dagName, ...(isClaimed ? toStart(run) : {}) }];
  });
}

function until(runId: string, entries: readonly QueueEntry[]): readonly QueueEntry[] {
  const index = entries.findIndex((entry) => entry.runId === runId);
  return index < 0 ? entries : entries.slice(0, index);
}

function toStart({ startedAt }: DagRunSummary): Pick<RunAhead, 'startedAt'> {
  return startedAt === null ? {} : { startedAt };
}

/** Reads one range of the index of a DAG's newest runs. */
async function readDurations({ runs }: EstimateReader, dagName: string): Promise<readonly number[]> {
  const newest = await runs.scan({ dagName, workspaces: everywhere, limit: historyLength });
  return newest.flatMap(({ status, startedAt, finishedAt }) =>
    runStatus.isTerminal(status) && startedAt !== null && finishedAt !== null
      ? [finishedAt.getTime() - startedAt.getTime()]
      : [],
  );
}

function noTime(reason: string): StartEstimate {
  return { startsAt: null, reason };
}
