import { isTerminalRun, type Lease, type RunEnd } from '@weir/workflow-engine';
import type { Database, DbTransaction } from '@weir/workflow-db';
import type { QueueDriver } from '../../queue';
import type { DagRunRepository } from './dag-run-repository';
import { paramsToRow } from './dag-run-rows';
import { cancelRetry } from './prisma-run-controls';
import { childColumns, resumeRun, wakeParentOf } from './prisma-run-resume';
import type { RunUnit } from './run-unit';
import { addMissingSteps, groupPatches, patchSteps, type PatchGroup } from './prisma-run-steps';
import { fitOneStatement, createStepPatcher } from './prisma-step-changes';

const running = 'running';
const waiting = 'waiting';

type Tables = Pick<DbTransaction, 'dagRun'>;
type OwnerChanges = 'record' | 'storeParams' | 'addSteps';

/** What the owner of a run stores about it. */
export function ownerChangesOf(
  { db, unitOfWork, provider }: Pick<Database, 'db' | 'unitOfWork' | 'provider'>,
  queue: QueueDriver<DbTransaction>,
  notify: (runId: string) => void,
): Pick<DagRunRepository, OwnerChanges> {
  const patchTogether = createStepPatcher(db, provider);
  return {
    record: async (id, lease, changes, end) => {
      const groups = groupPatches(changes);
      if (end === undefined && fitOneStatement(groups)) return patchTogether(id, lease, groups);
      const stored = await unitOfWork((tables) => recordAll({ tables, queue }, id, lease, { groups, end }), {
        isolation: 'read_committed',
      });
      if (stored === 'queued') queue.announce();
      if (end !== undefined) notify(id);
      return stored !== 'lost';
    },
    storeParams: (id, lease, params) => changeOwned(db, id, lease, { paramsResolved: paramsToRow(params) }),
    addSteps: (id, lease, steps) =>
      unitOfWork(
        async (tables) => {
          if (!(await changeOwned(tables, id, lease, {}))) return false;
          await addMissingSteps(tables, id, steps);
          return true;
        },
        { isolation: 'read_committed' },
      ),
  };
}

async function recordAll(
  unit: RunUnit,
  id: string,
  lease: Lease,
  { groups, end }: { readonly groups: readonly PatchGroup[]; readonly end: RunEnd | undefined },
): Promise<'lost' | 'stored' | 'queued'> {
  const { tables } = unit;
  if (end !== undefined && isTerminalRun(end.status)) return endRun(unit, id, lease, { groups, end });
  // Changes the row first: from here on nobody else changes anything of the run.
  if (!(await changeOwned(tables, id, lease, {}))) return 'lost';
  await patchSteps(tables, id, groups);
  if (end === undefined) return 'stored';
  const { waiting: expected, ...values } = end;
  return beginToWait(unit, id, { ...values, expected });
}

async function endRun(
  unit: RunUnit,
  id: string,
  lease: Lease,
  { groups, end }: { readonly groups: readonly PatchGroup[]; readonly end: RunEnd },
): Promise<'lost' | 'stored' | 'queued'> {
  const { tables, queue } = unit;
  const { status, finishedAt, error, retryAt } = end;
  // The row first here, too.
  const [child] = await tables.dagRun.updateManyAndReturn({
    where: owned(id, lease),
    data: { status, finishedAt, error, ...(retryAt && { retryAt }), rowVersion: { increment: 1 } },
    select: childColumns,
  });
  if (child === undefined) return 'lost';
  await patchSteps(tables, id, groups);
  // Somebody asked for its end, and its owner had not heard of it yet.
  if (retryAt !== undefined) await cancelRetry(tables, { id, stopRequestedAt: { not: null } });
  await queue.complete(tables, id);
  return (await wakeParentOf(unit, child, finishedAt)) ? 'queued' : 'stored';
}

async function beginToWait(
  unit: RunUnit,
  id: string,
  { expected, ...end }: RunEnd & { readonly expected: number | undefined },
): Promise<'stored' | 'queued'> {
  const { tables, queue } = unit;
  const found = await tables.dagRunStep.count({ where: { runId: id, status: waiting } });
  const { queuedAt, createdAt, stopRequestedAt } = await tables.dagRun.findUniqueOrThrow({
    where: { id },
    select: { queuedAt: true, createdAt: true, stopRequestedAt: true },
  });
  const isAnswered = expected !== undefined && found !== expected;
  if (isAnswered || stopRequestedAt !== null) {
    // Nobody looks after a run that waits: its next owner ends it.
    await resumeRun(unit, id, queuedAt ?? createdAt, { stopRequestedAt });
    return 'queued';
  }
  await tables.dagRun.updateMany({ where: { id }, data: { ...end, ownerId: null } });
  await queue.complete(tables, id);
  return 'stored';
}

async function changeOwned(
  { dagRun }: Pick<Tables, 'dagRun'>,
  id: string,
  lease: Lease,
  data: Parameters<Tables['dagRun']['updateMany']>[0]['data'],
): Promise<boolean> {
  const { count } = await dagRun.updateMany({
    where: owned(id, lease),
    data: { ...data, rowVersion: { increment: 1 } },
  });
  return count > 0;
}

function owned(id: string, { ownerId, token }: Lease) {
  return { id, ownerId, fencingToken: token, status: running };
}
