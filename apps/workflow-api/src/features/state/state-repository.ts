import { maxStateEntries } from '@weir/workflow-engine';
import { runStatus } from '@weir/workflow-engine/model';
import type { StateStore } from '@weir/workflow-engine';
import type { Database, DbTransaction, Prisma } from '@weir/workflow-db';
import type { JsonValue } from '@weir/workflow-spec';
import type { StateChange, StateDeleted, StateKeyspace, StateSet, StateValue } from './state-types';
import { listKeys } from './list-keys';

type Tables = Pick<DbTransaction, 'stateEntry' | 'dagRun'>;

/**
 * Stores entries in the database. The transaction of a change also reads the previous entry, so no other change comes
 * in between.
 */
export function createPrismaStateRepository({ db, unitOfWork }: Pick<Database, 'db' | 'unitOfWork'>): StateStore {
  return {
    get: async (keyspace, key) => {
      const row = await db.stateEntry.findUnique({ where: { scope_namespace_key: { ...toWhere(keyspace), key } } });
      return row === null ? undefined : fromRow(row);
    },
    set: (change) => unitOfWork((tables) => setEntry(tables, change)),
    delete: (change) => unitOfWork((tables) => deleteEntry(tables, change)),
    list: async (keyspace, options) => {
      // A keyspace is bounded, and databases agree neither on the order of strings nor on the meaning of a prefix.
      const rows = await db.stateEntry.findMany({
        where: toWhere(keyspace),
        select: { key: true, version: true, updatedAt: true },
      });
      return listKeys(rows, options);
    },
    readValues: async (keyspace, keys) => {
      const rows = await db.stateEntry.findMany({ where: { ...toWhere(keyspace), key: { in: [...keys] } } });
      return rows.map(fromRow);
    },
  };
}

async function setEntry(tables: Tables, change: StateChange & { readonly value: JsonValue }): Promise<StateSet> {
  const { keyspace, key, value, expectedVersion } = change;
  if (!(await isHeld(tables, change))) return { kind: 'lost' };
  const where = { ...toWhere(keyspace), key };
  const version = await readVersion(tables, change);
  if (expectedVersion !== undefined && version !== expectedVersion) return { kind: 'conflict', version };
  const data = { value: toRow(value), updatedAt: new Date() };
  if (version > 0) {
    await tables.stateEntry.updateMany({ where, data: { ...data, version: { increment: 1 } } });
    return { kind: 'stored', version: version + 1, isNew: false };
  }
  if ((await tables.stateEntry.count({ where: toWhere(keyspace) })) >= maxStateEntries) return { kind: 'full' };
  await tables.stateEntry.create({ data: { ...where, ...data, version: 1 }, select: { key: true } });
  return { kind: 'stored', version: 1, isNew: true };
}

async function deleteEntry(tables: Tables, change: StateChange): Promise<StateDeleted> {
  const { keyspace, key, expectedVersion } = change;
  if (!(await isHeld(tables, change))) return { kind: 'lost' };
  const version = await readVersion(tables, change);
  if (version === 0) return { kind: 'missing' };
  if (expectedVersion !== undefined && version !== expectedVersion) return { kind: 'conflict', version };
  await tables.stateEntry.deleteMany({ where: { ...toWhere(keyspace), key } });
  return { kind: 'deleted' };
}

/** Whether the run still has the owner that requests the change. */
async function isHeld({ dagRun }: Tables, { by: { runId, fencingToken } }: StateChange): Promise<boolean> {
  const run = await dagRun.findUnique({ where: { id: runId }, select: { status: true, fencingToken: true } });
  return (
    run !== null && runStatus.is(run.status) && runStatus.isRunning(run.status) && run.fencingToken === fencingToken
  );
}

/** Returns 0 when there is no entry. */
async function readVersion({ stateEntry }: Tables, { keyspace, key }: StateChange): Promise<number> {
  const row = await stateEntry.findUnique({
    where: { scope_namespace_key: { ...toWhere(keyspace), key } },
    select: { version: true },
  });
  return row?.version ?? 0;
}

function toWhere({ scope, namespace }: StateKeyspace): StateKeyspace {
  return { scope, namespace };
}

/** Wraps the value in an object, because a JSON column cannot distinguish a JSON `null` from no value. */
function toRow(value: JsonValue): Prisma.InputJsonObject {
  return { value };
}

interface Row {
  readonly key: string;
  readonly value: unknown;
  readonly version: number;
  readonly updatedAt: Date;
}

function fromRow({ key, value, version, updatedAt }: Row): StateValue {
  // Only `toRow` writes these values.
  return { key, version, updatedAt, value: (value as { readonly value: JsonValue }).value };
}
