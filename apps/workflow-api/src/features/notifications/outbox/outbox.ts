import { randomUUID } from 'node:crypto';
import type { DbTransaction } from '@weir/workflow-db';
import type { DagRunSummary, RunStatus, StepPatch } from '@weir/workflow-engine/model';

/** The statuses of root runs that are events. */
const statuses: ReadonlySet<RunStatus> = new Set<RunStatus>([
  ...(['succeeded', 'partially_succeeded', 'failed', 'aborted', 'rejected', 'waiting'] as const),
]);

type ChangedRun = Pick<DagRunSummary, 'id' | 'dagName' | 'dagRunId' | 'workspace' | 'depth'>;

/**
 * Writes the events of a change in the transaction of the change: both happen or none does. Without an enabled
 * subscription there are none.
 *
 * @returns Whether there is an event.
 */
export async function writeOutbox(
  { outboxEvent, eventSubscription }: DbTransaction,
  { id, dagName, dagRunId, workspace, depth }: ChangedRun,
  { status, error }: { readonly status?: RunStatus | undefined; readonly error?: string | null | undefined },
): Promise<boolean> {
  if (status === undefined || depth > 0 || !statuses.has(status)) return false;
  if ((await eventSubscription.findFirst({ where: { isEnabled: true }, select: { id: true } })) === null) return false;
  // The row is not read back: a worker with a token may write events, but not read them.
  await outboxEvent.createMany({
    data: {
      id: randomUUID(),
      occurredAt: new Date(),
      runId: id,
      dagName,
      dagRunId,
      workspace,
      status,
      error: error ?? null,
    },
  });
  return true;
}

const stepEvents: Partial<Record<NonNullable<StepPatch['status']>, string>> = {
  failed: 'step.failed',
  waiting: 'step.waiting',
};

/** Whether a change of a step may be an event. */
export const mayBeStepEvent = ({ status, retryCount = 0 }: StepPatch): boolean =>
  status !== undefined && (stepEvents[status] !== undefined || (status === 'running' && retryCount > 0));

/**
 * Writes the events of steps of a root run. Must be called before the patches are stored, because it
 * compares them with the stored steps.
 *
 * @returns Whether there is an event.
 */
export async function writeStepEvents(
  { outboxEvent, dagRunStep }: DbTransaction,
  { id: runId, dagName, dagRunId, workspace, depth }: ChangedRun,
  patches: readonly StepPatch[],
): Promise<boolean> {
  const changed = depth > 0 ? [] : patches.filter(mayBeStepEvent);
  if (changed.length === 0) return false;
  const keys = changed.map(({ scope = '', position }) => ({ scope, position }));
  const stored = await dagRunStep.findMany({
    where: { runId, OR: keys },
    select: { scope: true, position: true, name: true, status: true, retryCount: true },
  });
  const events = changed.flatMap(({ scope = '', position, status, retryCount = 0, error = null }) => {
    const before = stored.find((step) => step.scope === scope && step.position === position);
    if (before === undefined || status === undefined) return [];
    const isRetried = status === 'running' && retryCount > before.retryCount;
    const type = isRetried ? 'step.retried' : status === before.status ? undefined : stepEvents[status];
    if (type === undefined) return [];
    const step = scope === '' ? before.name : `${scope}/${before.name}`;
    return { id: randomUUID(), occurredAt: new Date(), runId, dagName, dagRunId, workspace, status, error, type, step };
  });
  if (events.length > 0) await outboxEvent.createMany({ data: events });
  return events.length > 0;
}
