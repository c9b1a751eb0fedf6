import { AppError } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import { translatePrismaError } from '@weir/workflow-db';
import {
  nodeStatus,
  ownerTransition,
  parseNodeKey,
  transition,
  type DagRun,
  type RunEvent,
  type RunTransition,
  type Timer,
} from '@weir/workflow-engine/model';
import type { AuditedOperation } from '../../../access/audited-operation';
import { pause } from '../../../adapters/pause';
import type { RunChange, StepDecided } from '../../../adapters/run-changes';
import { toQueueItem } from './queue-item';
import type { CommittedRun, RunStorage, RunTransaction } from './run-storage';

/** The worker that executes a run: nothing that its steps did may be lost, or be seen before their logs. */
export interface CommittingWorker {
  /** Resolves when all that the run has written can be read where logs are stored. */
  flushFiles(): Promise<void>;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Ends the waiting for the store. */
  readonly stopping: AbortSignal;
}

export interface CommitOptions {
  readonly audit: AuditedOperation;
  /** Where it is one that executes the run. */
  readonly worker?: CommittingWorker;
}

export type CommitRun = (id: string, event: RunEvent, options: CommitOptions) => Promise<RunTransition | undefined>;

type AnnounceChange = (change: RunChange) => void;

/**
 * Every change of a stored run: an event is judged by the rules of the engine's state machine and committed with its
 * effects and its audit entry, then announced. For a worker, the files that the event speaks of are flushed before, and
 * the commit is attempted again while the store cannot answer.
 */
export function createRunCommit(storage: RunStorage, announce: AnnounceChange): CommitRun {
  return async (id, event, { audit, worker }) => {
    if (worker !== undefined && endsWork(event)) await worker.flushFiles();
    const commit = () => commitEvent(storage, { id, event, audit });
    const committed = await (worker === undefined ? commit() : untilStored(commit, worker));
    if (committed !== undefined) {
      announce({ runId: id, status: committed.patch.status, decision: toDecision(event) });
    }
    return committed;
  };
}

/** A run that was stored just now; its parent has one more child. */
export function announceNewRun({ id, status, parentId }: DagRun, announce: AnnounceChange): void {
  announce({ runId: id, status });
  if (parentId !== null) announce({ runId: parentId });
}

/** Whether somebody who sees it may look for all of a log. */
export function endsWork(event: RunEvent): boolean {
  switch (event.kind) {
    case 'steps_changed':
      return event.patches.some(({ status }) => status !== undefined && nodeStatus.isTerminal(status));
    case 'ended':
    case 'suspended':
      return true;
    default:
      return false;
  }
}

interface AuditedEvent {
  readonly id: string;
  readonly event: RunEvent;
  readonly audit: AuditedOperation;
}

async function commitEvent(storage: RunStorage, audited: AuditedEvent): Promise<RunTransition | undefined> {
  const { id, event } = audited;
  switch (event.kind) {
    case 'steps_changed':
    case 'steps_added':
    case 'params_resolved': {
      // Its owner knows how the run is stored, and nothing follows from it.
      const assumed = ownerTransition(event);
      return (await storage.commit(id, assumed)) ? assumed : undefined;
    }
    default:
      return commitWithEffects(storage, audited);
  }
}

interface CommittedEvent {
  readonly id: string;
  readonly workspace: string | null;
  readonly transition: RunTransition;
  /** What it changed of the parent. */
  readonly parent?: CommittedEvent | undefined;
}

async function commitWithEffects(
  storage: RunStorage,
  { id, event, audit }: AuditedEvent,
): Promise<RunTransition | undefined> {
  const committed = await storage.transaction(audit, async (transaction, record) => {
    const result = await commitWithin(transaction, id, event);
    const { status } = result?.transition.patch ?? {};
    if (result !== undefined) {
      const bypass = event.kind === 'retried' && event.bypass !== undefined ? { bypass: event.bypass } : {};
      await record({
        workspace: result.workspace ?? undefined,
        after: { event: event.kind, ...(status === undefined ? {} : { status }), ...bypass },
      });
    }
    return result;
  });
  for (let each = committed; each !== undefined; each = each.parent) notify(storage, each);
  return committed?.transition;
}

function notify(storage: RunStorage, { id, transition: { effects } }: CommittedEvent): void {
  if (effects.some(({ kind }) => kind === 'notify_queue')) storage.notifyQueue();
  if (effects.some(({ kind }) => kind === 'notify_waiters')) storage.notifyWaiters(id);
}

async function commitWithin(
  transaction: RunTransaction,
  id: string,
  event: RunEvent,
): Promise<CommittedEvent | undefined> {
  // The owner knows how its run is stored, so nearly every end of a run is stored without reading it.
  const assumed = event.kind === 'ended' ? ownerTransition(event) : undefined;
  const run = assumed && (await transaction.commit(id, assumed));
  if (assumed !== undefined && run !== undefined) return performEffects(transaction, run, assumed);
  const state = await transaction.load(id);
  const decided = state && transition(state, event);
  if (decided === undefined) return undefined;
  const committed = await transaction.commit(id, decided);
  if (committed === undefined) throw new AppError('internal', 'A run changed although it was locked.');
  return performEffects(transaction, committed, decided);
}

async function performEffects(
  transaction: RunTransaction,
  run: CommittedRun,
  applied: RunTransition,
): Promise<CommittedEvent> {
  let parent: CommittedEvent | undefined;
  for (const effect of applied.effects) {
    if (effect.kind === 'enqueue') await transaction.enqueue(toQueueItem(run, effect.at));
    if (effect.kind === 'record_attempt') await transaction.recordAttempt(run.id, effect.ended, effect.next);
    if (effect.kind === 'leave_queue') await transaction.removeFromQueue(run.id);
    if (effect.kind === 'wake_parent') parent = await wakeParent(transaction, run, effect.at ?? run.createdAt);
  }
  return { id: run.id, workspace: run.workspace, transition: applied, parent };
}

async function wakeParent(
  transaction: RunTransaction,
  { parentId, parentNode }: CommittedRun,
  at: Date,
): Promise<CommittedEvent | undefined> {
  if (parentId === null || parentNode === null) return undefined;
  return commitWithin(transaction, parentId, { kind: 'child_ended', step: parseNodeKey(parentNode), at });
}

const pauseMs = 1_000;
/**
 * What is waited for is a person, or a job that removes files: five minutes for a full disk, and half an hour for a locked
 * file, because each attempt waits for the lock itself.
 */
const maxAttempts = 300;

/**
 * While the disk of the database is full, or another process has locked it, a change is attempted again, so that the ends
 * of steps are not lost. Then, and when the worker stops, it fails as it would without this.
 */
async function untilStored<R>(change: () => Promise<R>, { timer, logger, stopping }: CommittingWorker): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await change();
      if (attempt > 1) logger.info({ attempts: attempt }, 'the database stores changes again');
      return result;
    } catch (error) {
      const problem = storeProblem(error);
      if (problem === undefined || stopping.aborted || attempt === maxAttempts) throw error;
      if (attempt === 1) logger.error({ error }, problem);
    }
    await pause(timer, pauseMs, stopping);
  }
}

/** Of a kind that passes, and after which nothing was changed. */
function storeProblem(error: unknown): string | undefined {
  switch (translatePrismaError(error)?.kind) {
    case 'full':
      return 'the disk of the database is full; its runs wait for space';
    case 'busy':
      return 'the database is locked or overloaded; its runs wait for it';
    default:
      return undefined;
  }
}

function toDecision(event: RunEvent): StepDecided | undefined {
  switch (event.kind) {
    case 'approved':
    case 'rejected':
    case 'pushed_back':
    case 'task_completed':
      return { kind: event.kind, by: event.by, step: event.step.name };
    default:
      return undefined;
  }
}
