import { AppError } from '@weir/errors';
import { runStatus, ownerTransition, parseNodeKey, transition, type RunTransition } from '@weir/workflow-engine';
import { describeChange } from '../../audit';
import type { DagRunRepository } from './dag-run-repository';
import { toQueueItem } from './queue-item';
import type { CommittedRun, RunStorage, RunTransaction } from './run-storage';

type RunEvent = Parameters<typeof transition>[1];
type OwnerEvent = Parameters<typeof ownerTransition>[0];
type RunChanges = Pick<DagRunRepository, 'apply' | 'record' | 'storeParams' | 'addSteps'>;

/** What happens to stored runs, by the rules of the engine's state machine. */
export function createRunChanges(storage: RunStorage): RunChanges {
  const apply = (id: string, event: RunEvent) => applyEvent(storage, id, event);
  const commit = (id: string, event: OwnerEvent) => storage.commit(id, ownerTransition(event));
  return {
    apply,
    record: async (id, lease, patches, end) => {
      if (end === undefined) return commit(id, { kind: 'steps_changed', lease, patches });
      const { waiting, ...values } = end;
      const event: RunEvent = runStatus.isTerminal(end.status)
        ? { kind: 'ended', lease, patches, ...values }
        : { kind: 'suspended', lease, patches, waitingSteps: waiting };
      return (await apply(id, event)) !== undefined;
    },
    storeParams: (id, lease, params, fileVariables) =>
      commit(id, { kind: 'params_resolved', lease, params, fileVariables }),
    addSteps: (id, lease, steps) => commit(id, { kind: 'steps_added', lease, steps }),
  };
}

interface AppliedEvent {
  readonly id: string;
  readonly transition: RunTransition;
  /** What it changed of the parent. */
  readonly parent?: AppliedEvent | undefined;
}

async function applyEvent(storage: RunStorage, id: string, event: RunEvent): Promise<RunTransition | undefined> {
  const applied = await storage.transaction(async (transaction) => {
    const result = await applyWithin(transaction, id, event);
    const { status } = result?.transition.patch ?? {};
    if (result !== undefined)
      describeChange({ after: { event: event.kind, ...(status === undefined ? {} : { status }) } });
    return result;
  });
  for (let each = applied; each !== undefined; each = each.parent) notify(storage, each);
  return applied?.transition;
}

function notify(storage: RunStorage, { id, transition: { effects } }: AppliedEvent): void {
  if (effects.some(({ kind }) => kind === 'notify_queue')) storage.notifyQueue();
  if (effects.some(({ kind }) => kind === 'notify_waiters')) storage.notifyWaiters(id);
}

async function applyWithin(
  transaction: RunTransaction,
  id: string,
  event: RunEvent,
): Promise<AppliedEvent | undefined> {
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
): Promise<AppliedEvent> {
  let parent: AppliedEvent | undefined;
  for (const effect of applied.effects) {
    if (effect.kind === 'enqueue') await transaction.enqueue(toQueueItem(run, effect.at));
    if (effect.kind === 'record_attempt') await transaction.recordAttempt(run.id, effect.ended, effect.next);
    if (effect.kind === 'leave_queue') await transaction.removeFromQueue(run.id);
    if (effect.kind === 'wake_parent') parent = await wakeParent(transaction, run, effect.at ?? run.createdAt);
  }
  return { id: run.id, transition: applied, parent };
}

async function wakeParent(
  transaction: RunTransaction,
  { parentId, parentNode }: CommittedRun,
  at: Date,
): Promise<AppliedEvent | undefined> {
  if (parentId === null || parentNode === null) return undefined;
  return applyWithin(transaction, parentId, { kind: 'child_ended', step: parseNodeKey(parentNode), at });
}
