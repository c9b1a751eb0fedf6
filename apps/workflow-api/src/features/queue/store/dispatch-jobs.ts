import { createHash } from 'node:crypto';
import type { Database, DbTransaction } from '@weir/workflow-db';
import type { PgBoss } from 'pg-boss';

/** A worker with the labels of the selector claims a run of the queue by such a job. */
export interface DispatchJob {
  readonly id: string;
  readonly queueName: string;
}

export interface NewDispatchJob {
  readonly queueName: string;
  readonly selector: string;
  /** Jobs of a selector are taken in this order, to the second. */
  readonly rankAt: Date;
  /** The job is not taken before this time. Default: at once. */
  readonly startAfter?: Date | undefined;
}

/** The jobs in pg-boss. Each job is written in the transaction that it is about, and none is ever active. */
export interface DispatchJobs {
  /** Returns the id of the job, and notifies the workers when the transaction commits. */
  send(transaction: DbTransaction, job: NewDispatchJob): Promise<string>;
  /** Removes and returns the first job that is due. Others do not see it unless the transaction fails. */
  take(transaction: DbTransaction, selector: string): Promise<DispatchJob | undefined>;
  /** Calls the listener whenever a process has sent a job, until the returned function is called. */
  watch(onSent: () => void): Promise<() => Promise<void>>;
}

/** Stores jobs in the schema of pg-boss, which a migration creates. */
export function createDispatchJobs(database: Pick<Database, 'queryOnOwnConnection' | 'listen'>): DispatchJobs {
  let opened: ReturnType<typeof openBoss> | undefined;
  const pools = new Map<string, Promise<string>>();
  const open = (): ReturnType<typeof openBoss> => {
    opened ??= openBoss(database).catch((error: unknown) => {
      // The next call tries again.
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const poolOf = (boss: PgBoss, selector: string): Promise<string> => {
    const known = pools.get(selector);
    if (known !== undefined) return known;
    const created = createPool(boss, selector).catch((error: unknown) => {
      pools.delete(selector);
      throw error;
    });
    pools.set(selector, created);
    return created;
  };
  return {
    send: async (transaction, { queueName, selector, rankAt, startAfter }) => {
      const { boss } = await open();
      const options = {
        db: toConnection(transaction),
        priority: toPriority(rankAt),
        ...(startAfter && { startAfter }),
      };
      const id = await boss.send(await poolOf(boss, selector), { queueName }, options);
      if (id === null) throw new Error(`pg-boss took no job for the queue ${queueName}.`);
      return id;
    },
    take: async (transaction, selector) => {
      const { boss } = await open();
      const pool = await poolOf(boss, selector);
      const connection = { db: toConnection(transaction) };
      const [job] = await boss.fetch<{ readonly queueName: string }>(pool, connection);
      if (job === undefined) return undefined;
      await boss.deleteJob(pool, job.id, connection);
      return { id: job.id, queueName: job.data.queueName };
    },
    watch: async (onSent) => {
      const { channel } = await open();
      return database.listen(channel, onSent);
    },
  };
}

/** Needs no maintenance in the background: jobs do not become active, do not expire, and are removed when they are taken. */
async function openBoss({
  queryOnOwnConnection,
}: Pick<Database, 'queryOnOwnConnection'>): Promise<{ readonly boss: PgBoss; readonly channel: string }> {
  const { PgBoss: Boss, systemClock } = await import('pg-boss');
  let channel = '';
  const boss = new Boss({
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    useListenNotify: true,
    db: {
      executeSql: async (text, values) => ({ rows: [...(await queryOnOwnConnection(text, values))] }),
      listen: (name) => {
        channel = name;
        return Promise.resolve({ close: () => Promise.resolve() });
      },
    },
    clock: { ...systemClock, setInterval: () => undefined, clearInterval: () => undefined },
  });
  await boss.start();
  return { boss, channel };
}

async function createPool(boss: PgBoss, selector: string): Promise<string> {
  // Names of pg-boss allow fewer characters than labels.
  const name = `weir.${createHash('sha256').update(selector).digest('hex').slice(0, 32)}`;
  await boss.createQueue(name, { notify: true, retryLimit: 0 });
  return name;
}

function toConnection(db: Pick<DbTransaction, '$queryRawUnsafe'>) {
  return {
    executeSql: async (text: string, values: readonly unknown[] = []) => ({
      rows: await db.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values),
    }),
  };
}

// The seconds from here to any rank of the next decades, and a century less for runs that need no slot, are 32-bit integers.
const priorityZero = Date.UTC(1990, 0, 1);
const maxPriority = 2_147_483_647;

/** Returns a higher priority for an earlier rank. */
function toPriority(rankAt: Date): number {
  const seconds = Math.floor((priorityZero - rankAt.getTime()) / 1000);
  return Math.max(-maxPriority, Math.min(maxPriority, seconds));
}
