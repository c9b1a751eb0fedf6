import type { Lease, RunEnd, StepPatch } from '../run-model/dag-run';
import { runStatus } from '../statuses/run-status';
import { nodeStatus } from '../statuses/node-status';
import type {
  OwnedRun,
  OwnerEvent,
  ParamsResolved,
  RunClaimed,
  RunEnded,
  RunState,
  RunSuspended,
  StepsChanged,
} from './run-event';
import { createTransition, noSteps, patchesOnly, queuedAt, type RunTransition } from './run-transition';

/** Changes of steps, with the end of the run, or of its work until a person answers, where there is one. */
export function toOwnerEvent(
  lease: Lease,
  patches: readonly StepPatch[],
  end?: RunEnd,
): StepsChanged | RunEnded | RunSuspended {
  if (end === undefined) return { kind: 'steps_changed', lease, patches };
  const { waiting, ...values } = end;
  return runStatus.isTerminal(end.status)
    ? { kind: 'ended', lease, patches, ...values }
    : { kind: 'suspended', lease, patches, waitingSteps: waiting };
}

/**
 * The transition of a run that is as its owner knows it: running, under its lease, and not asked to stop. The store
 * compares that with the run when it commits, so that nothing has to be read first.
 */
export function ownerTransition(event: OwnerEvent): RunTransition {
  const { ownerId, token } = event.lease;
  return changeOwned({ status: 'running', ownerId, fencingToken: token, stopRequestedAt: null }, event);
}

/** A run is claimed from its queue, or from an owner whose lease has expired. */
export function claimRun(run: RunState, { ownerId, at }: RunClaimed): RunTransition | undefined {
  if (!runStatus.isInQueue(run.status)) return undefined;
  const { startedAt, fencingToken } = run;
  return createTransition(run, {
    expected: { fencingToken },
    patch: { status: 'running', ownerId, startedAt: startedAt ?? at, fencingToken: fencingToken + 1 },
  });
}

export function applyOwnerEvent(run: OwnedRun, event: OwnerEvent): RunTransition | undefined {
  return isOwned(run, event.lease) ? changeOwned(run, event) : undefined;
}

function changeOwned(run: OwnedRun, event: OwnerEvent): RunTransition {
  const expected = toExpectation(event.lease);
  switch (event.kind) {
    case 'released':
      return createTransition(run, { expected, patch: { ownerId: null } });
    case 'steps_changed':
      return createTransition(run, { expected, steps: patchesOnly(event.patches) });
    case 'steps_added':
      return createTransition(run, { expected, steps: { ...noSteps, added: event.steps } });
    case 'params_resolved':
      return createTransition(run, { expected, patch: toValues(event) });
    case 'ended':
      return endRun(run, event);
  }
}

function toValues({ params, fileVariables }: ParamsResolved) {
  return { resolvedParams: params, ...(fileVariables === undefined ? {} : { fileVariables }) };
}

function endRun(run: OwnedRun, { lease, patches, status, finishedAt, error, retryAt }: RunEnded): RunTransition {
  const steps = patchesOnly(patches);
  const effects = [
    { kind: 'leave_queue' },
    { kind: 'wake_parent', at: finishedAt },
    { kind: 'notify_waiters' },
  ] as const;
  if (retryAt === undefined) {
    return createTransition(run, {
      expected: toExpectation(lease),
      steps,
      effects,
      patch: { status, finishedAt, error },
    });
  }
  // A run that a person asked to stop is not retried, even if its owner did not know of the request.
  const { stopRequestedAt } = run;
  const end = stopRequestedAt === null ? { status, retryAt } : ({ status: 'aborted', retryAt: null } as const);
  const expected = { ...toExpectation(lease), stopRequestedAt };
  return createTransition(run, { expected, steps, effects, patch: { ...end, finishedAt, error } });
}

/** A run that is answered or asked to stop while it begins to wait is queued instead, for its next owner. */
export function suspendRun(run: RunState, event: RunSuspended): RunTransition | undefined {
  const { lease, patches, waitingSteps } = event;
  if (!isOwned(run, lease)) return undefined;
  const expected = toExpectation(lease);
  const steps = patchesOnly(patches);
  const { stopRequestedAt } = run;
  const isAnswered = waitingSteps !== undefined && waitingSteps !== countWaiting(run, event);
  if (isAnswered || stopRequestedAt !== null) {
    const at = run.queuedAt ?? run.createdAt;
    return createTransition(run, {
      expected,
      steps,
      patch: { ...queuedAt(at), stopRequestedAt },
      effects: [{ kind: 'enqueue', at }, { kind: 'notify_queue' }],
    });
  }
  return createTransition(run, {
    expected,
    steps,
    patch: { status: 'waiting', finishedAt: null, error: null, ownerId: null },
    effects: [{ kind: 'leave_queue' }, { kind: 'notify_waiters' }],
  });
}

/** With the patches that are stored in the same transaction. */
function countWaiting(run: RunState, { patches }: RunSuspended): number {
  const keys = new Set(run.waitingSteps.map(({ scope, position }) => `${position} ${scope}`));
  for (const { scope = '', position, status } of patches) {
    if (status === undefined) continue;
    if (nodeStatus.isWaiting(status)) keys.add(`${position} ${scope}`);
    else keys.delete(`${position} ${scope}`);
  }
  return keys.size;
}

function isOwned({ status, ownerId, fencingToken }: OwnedRun, lease: Lease): boolean {
  return runStatus.isRunning(status) && ownerId === lease.ownerId && fencingToken === lease.token;
}

function toExpectation({ ownerId, token }: Lease) {
  return { ownerId, fencingToken: token };
}
