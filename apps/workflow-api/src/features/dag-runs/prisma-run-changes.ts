import { isTerminalRun } from '@weir/workflow-engine';
import type { Database, DbTransaction } from '@weir/workflow-db';
import type { QueueDriver } from '../queue';
import type { Lease, RunEnd } from './dag-run';
import type { DagRunRepository } from './dag-run-repository';
import { paramsToRow } from './dag-run-rows';
import { cancelRetry } from './prisma-run-controls';
import { resumeRun, wakeParent } from './prisma-run-resume';
import type { RunUnit } from './run-unit';
import { addMissingSteps, groupPatches, patchOwned, patchSteps, type PatchGroup } from './prisma-run-steps';

const running = 'running';
const waiting = 'waiting';

type Tables = Pick<DbTransaction, 'dagRun'>;
type OwnerChanges = 'record' | 'storeParams' | 'addSteps';

/** What the owner of a run stores about it. */
export function ownerChangesOf(
  { db, unitOfWork }: Pick<Database, 'db' | 'unitOfWork'>,
  queue: QueueDriver<DbTransaction>,
): Pick<DagRunRepository, OwnerChanges> {
  return {
    record: async (id, lease, changes, end) => {
      const groups = groupPatches(changes);
      const [only] = groups;
      // One statement is as atomic as a transaction and costs a fraction of it, and most changes come alone.
      if (end === undefined && groups.length === 1 && only !== undefined) return patchOwned(db, id, lease, only);
      const stored = await unitOfWork((tables) => recordAll({ tables, queue }, id, lease, { groups, end }), {
        isolation: 'read_committed',
      });
      if (stored === 'queued') queue.announce();
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
  const { tables, queue } = unit;
  // Changes the row first: from here on nobody else changes anything of the run.
  if (!(await changeOwned(tables, id, lease, {}))) return 'lost';
  await patchSteps(tables, id, groups);
  if (end === undefined) return 'stored';
  const { waiting: expected, ...values } = end;
  if (!isTerminalRun(end.status)) return beginToWait(unit, id, { ...values, expected });
  await tables.dagRun.updateMany({ where: { id }, data: values });
  // Somebody asked for its end, and its owner had not heard of it yet.
  if (end.retryAt !== undefined) await cancelRetry(tables, { id, stopRequestedAt: { not: null } });
  await queue.complete(tables, id);
  return (await wakeParent(unit, id, end.finishedAt)) ? 'queued' : 'stored';
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
  { ownerId, token }: Lease,
  data: Parameters<Tables['dagRun']['updateMany']>[0]['data'],
): Promise<boolean> {
  const { count } = await dagRun.updateMany({
    where: { id, ownerId, fencingToken: token, status: running },
    data: { ...data, rowVersion: { increment: 1 } },
  });
  return count > 0;
}
