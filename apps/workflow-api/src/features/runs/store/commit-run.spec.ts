import { createRecordingLogger, temporaryFolder } from '@weir/test-kit';
import { createDatabase } from '@weir/workflow-db';
import type { StepPatch, Timer } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { createTestStores } from '../../../testing/test-stores';
import { createRunCommit } from './commit-run';
import { createInMemoryRunStorage } from './in-memory-run-storage';
import { createRunTables } from './in-memory-run-tables';
import type { RunStorage } from './run-storage';

let full: unknown;
let locked: unknown;

// The failure of a real database whose file may not grow.
beforeAll(async () => {
  const stores = await createTestStores('sqlite');
  const { db } = await stores.openDatabase();
  await db.$queryRawUnsafe('PRAGMA max_page_count = 1');
  const failed = db.dagFlag.create({
    data: { fileName: 'x'.repeat(100_000), suspended: true, updatedAt: new Date(0) },
  });
  full = await failed.catch((error: unknown) => error);
  await stores.remove();
  locked = await failureOfLockedFile();
});

async function failureOfLockedFile(): Promise<unknown> {
  const folder = temporaryFolder();
  const url = `file:${folder.file('weir.db')}`;
  const [holder, waiting] = [await createDatabase({ url }), await createDatabase({ url, lockedMs: 1 })];
  const failure = await holder.db.$transaction(async (held) => {
    await held.$executeRawUnsafe('CREATE TABLE held (id)');
    return waiting.db.$executeRawUnsafe('CREATE TABLE other (id)').catch((error: unknown) => error);
  });
  await Promise.all([holder, waiting].map((database) => database.close()));
  await folder.remove();
  return failure;
}

/** Fails the first changes, then stores them. */
function createStore(failures = 0, failure = (): unknown => full) {
  const tables = createRunTables();
  const stored = createInMemoryRunStorage(tables);
  tables.runs.set('run-1', aRun({ status: 'running', ownerId: 'a', fencingToken: 1 }));
  tables.steps.set('run-1', [aRunStep()]);
  const done: string[] = [];
  let attempts = 0;
  const storage: RunStorage = {
    ...stored,
    commit: (id, change) => {
      attempts += 1;
      if (attempts <= failures) throw failure();
      done.push('committed');
      return stored.commit(id, change);
    },
  };
  const commit = createRunCommit(storage, ({ runId, status }) => void done.push(`announced ${runId} ${status}`));
  return { commit, done, attempts: () => attempts };
}

const atOnce: Timer = {
  start: (_afterMs, due) => {
    queueMicrotask(due);
    return () => undefined;
  },
};
const never: Timer = { start: () => () => undefined };
const lease = { ownerId: 'a', token: 1 };

function record(
  { commit, done }: Pick<ReturnType<typeof createStore>, 'commit' | 'done'>,
  { timer = atOnce, stopping = new AbortController().signal, patches = [] as readonly StepPatch[] } = {},
) {
  const logger = createRecordingLogger();
  const flushFiles = () => Promise.resolve(void done.push('flushed'));
  const worker = { flushFiles, timer, logger, stopping };
  const event = { kind: 'steps_changed', lease, patches } as const;
  return { stored: commit('run-1', event, { audit: unaudited, worker }), logger };
}

describe('createRunCommit', () => {
  it('flushes the logs of a step that ends before it commits, and announces the change after', async () => {
    const store = createStore();
    await record(store, { patches: [{ position: 0, status: 'running' }] }).stored;
    expect(store.done).toEqual(['committed', 'announced run-1 undefined']);
    store.done.length = 0;
    await record(store, { patches: [{ position: 0, status: 'succeeded' }] }).stored;

    expect(store.done).toEqual(['flushed', 'committed', 'announced run-1 undefined']);
  });

  it('announces no change that came too late', async () => {
    const { commit, done } = createStore();

    await expect(
      commit('run-1', { kind: 'steps_changed', lease: { ...lease, token: 2 }, patches: [] }, { audit: unaudited }),
    ).resolves.toBeUndefined();
    expect(done).toEqual(['committed']);
  });

  it('stores a change once the disk has space again, and says so once', async () => {
    const store = createStore(4);
    const { stored, logger } = record(store);

    await expect(stored).resolves.toBeDefined();
    expect(store.attempts()).toBe(5);
    expect(logger.entries.map(({ level }) => level)).toEqual(['error', 'info']);
  });

  it('waits for a file that another process has locked', async () => {
    const store = createStore(4, () => locked);

    await expect(record(store).stored).resolves.toBeDefined();
    expect(store.attempts()).toBe(5);
  });

  it('gives up after 300 attempts', async () => {
    const store = createStore(Infinity);

    await expect(record(store).stored).rejects.toBe(full);
    expect(store.attempts()).toBe(300);
  });

  it('does not wait for any other failure', async () => {
    const other = new Error('other');
    const store = createStore(Infinity, () => other);

    await expect(record(store).stored).rejects.toBe(other);
    expect(store.attempts()).toBe(1);
  });

  it('tries once more when the worker stops, and gives up', async () => {
    const store = createStore(Infinity);
    const stop = new AbortController();
    const { stored } = record(store, { timer: never, stopping: stop.signal });
    stop.abort();

    await expect(stored).rejects.toBe(full);
    expect(store.attempts()).toBeLessThanOrEqual(2);
  });
});
