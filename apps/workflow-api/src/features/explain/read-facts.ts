import { nodeKey, nodeStatus, runStatus, type Clock, type DagRun, type DagRunStep } from '@weir/workflow-engine/model';
import { readHumanTask } from '@weir/workflow-contract';
import type { Dag, Step } from '@weir/workflow-spec';
import type { DagParser } from '../../dag-parser';
import { canSee } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { presentAction, readStoredDag, type DagRunRepository } from '../runs';
import type { DagFlagRepository } from '../dags';
import type { QueueDriver, QueueEntry } from '../queue/store';
import type { ExplanationFacts, Pause, QueueFacts, RetryFacts, StepFacts } from './explanation-facts';
import type { Liveness } from './liveness';

export interface FactReaderDependencies {
  readonly runs: Pick<DagRunRepository, 'listSteps' | 'listChildren' | 'listSummaries' | 'readMemos' | 'readOutputs'>;
  readonly queue: Pick<
    QueueDriver<never>,
    'findEntry' | 'listHolders' | 'listWaiting' | 'readLimits' | 'readPauses' | 'depth' | 'countWaitingBefore'
  >;
  readonly flags: Pick<DagFlagRepository, 'listSuspended'>;
  readonly liveness: Liveness;
  readonly parser: DagParser;
  readonly clock: Clock;
}

const maxHolders = 100;
const everywhere = { unassigned: true, named: 'all' } as const;

export interface RunWithDag {
  readonly facts: ExplanationFacts;
  readonly dag: Dag;
}

/** Reads the stored facts; runs that the principal may not see are only counted. */
export async function readFacts(
  dependencies: FactReaderDependencies,
  run: DagRun,
  principal: Principal,
): Promise<RunWithDag> {
  const { runs, queue, liveness, parser, clock } = dependencies;
  const [entry, workers, rows, dag] = await Promise.all([
    queue.findEntry(run.id),
    liveness.readWorkers(),
    runs.listSteps(run.id),
    readStoredDag({ parser, runs }, run),
  ]);
  const steps = await Promise.all(
    dag.steps.map((step, position) => readStep(dependencies, { run, step, row: rows[position], principal })),
  );
  const isWaiting = entry?.claimedBy === null && runStatus.isInQueue(run.status);
  return {
    dag,
    facts: {
      at: clock.now(),
      run,
      entry,
      workers,
      maxActiveSteps: dag.maxActiveSteps,
      steps: steps.flatMap((step) => step ?? []),
      queue: isWaiting ? await readQueue(dependencies, entry, principal) : undefined,
      retry: run.retryAt === null ? undefined : await readRetry(dependencies, run),
    },
  };
}

async function readQueue(
  { runs, queue }: FactReaderDependencies,
  entry: QueueEntry,
  principal: Principal,
): Promise<QueueFacts> {
  const { queueName } = entry;
  const [limits, pauses, { claimed }, before, entries] = await Promise.all([
    queue.readLimits(),
    queue.readPauses(),
    queue.depth(queueName),
    queue.countWaitingBefore(entry),
    queue.listHolders({ queueName, workspaces: everywhere, limit: maxHolders }),
  ]);
  const summaries = await runs.listSummaries(entries.map(({ runId }) => runId));
  const holders = entries
    .flatMap(({ runId }) => summaries.get(runId) ?? [])
    .filter(({ workspace }) => canSee(principal, workspace ?? undefined));
  return { slots: limits.get(queueName) ?? 1, slotsInUse: claimed, before, holders, pause: pauses.get(queueName) };
}

async function readRetry({ flags, liveness }: FactReaderDependencies, { fileName }: DagRun): Promise<RetryFacts> {
  const [suspended, isSchedulerAlive] = await Promise.all([flags.listSuspended(), liveness.isSchedulerAlive()]);
  return { isSuspended: fileName !== null && suspended.includes(fileName), isSchedulerAlive };
}

interface StoredStep {
  readonly run: DagRun;
  readonly step: Step;
  readonly row: DagRunStep | undefined;
  readonly principal: Principal;
}

async function readStep(dependencies: FactReaderDependencies, stored: StoredStep): Promise<StepFacts | undefined> {
  const { step, row } = stored;
  if (row === undefined) return undefined;
  const { name, status, error, finishedAt, retryCount } = row;
  const pause = nodeStatus.isWaiting(status) ? await readPause(dependencies, { ...stored, row }) : undefined;
  return { name, status, error, finishedAt, retryCount, pause, depends: step.depends };
}

/** Reads the reason why a waiting step waits. */
export async function readPause(
  { runs }: { readonly runs: Pick<DagRunRepository, 'listChildren' | 'readOutputs'> },
  { run, step, row, principal }: StoredStep & { readonly row: DagRunStep },
): Promise<Pause> {
  const task = readHumanTask(presentAction(step));
  if (task !== undefined) return { kind: 'human_task', prompt: task.prompt };
  // An agent asks people by child runs.
  const isCall = step.run.kind === 'agent' || (step.run.kind === 'action' && step.run.action === 'dag.run');
  // A step that calls a DAG has outputs once its child runs have ended, and then waits for its approval.
  if (!isCall || (await runs.readOutputs(run.id)).has(row.position)) {
    return { kind: 'approval', prompt: step.approval?.prompt };
  }
  const children = (await runs.listChildren(run.id, nodeKey(row))).filter(({ status }) => runStatus.isActive(status));
  const visible = children.filter(({ workspace }) => canSee(principal, workspace ?? undefined)).slice(0, maxHolders);
  return { kind: 'child_run', runs: visible, others: children.length - visible.length };
}
