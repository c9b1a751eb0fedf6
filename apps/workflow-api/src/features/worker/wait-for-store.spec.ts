import { createRecordingLogger, temporaryFolder } from '@weir/test-kit';
import { createDatabase } from '@weir/workflow-db';
import type { RunStore, Timer } from '@weir/workflow-engine';
import { createTestStores } from '../../testing/test-stores';
import { waitForStore } from './wait-for-store';

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
function createStore(failures: number, failure = (): unknown => full) {
  let attempts = 0;
  const runs = {
    record: async () => {
      attempts += 1;
      if (attempts <= failures) throw failure();
      return Promise.resolve(true);
    },
  } as unknown as RunStore;
  return { runs, attempts: () => attempts };
}

const atOnce: Timer = {
  start: (_afterMs, due) => {
    queueMicrotask(due);
    return () => undefined;
  },
};
const never: Timer = { start: () => () => undefined };

function record(runs: RunStore, { timer = atOnce, stopping = new AbortController().signal } = {}) {
  const logger = createRecordingLogger();
  const stored = waitForStore(runs, { timer, logger, stopping }).record('run-1', { ownerId: 'a', token: 1 }, []);
  return { stored, logger };
}

describe('waitForStore', () => {
  it('stores a change once the disk has space again, and says so once', async () => {
    const { runs, attempts } = createStore(4);
    const { stored, logger } = record(runs);

    await expect(stored).resolves.toBe(true);
    expect(attempts()).toBe(5);
    expect(logger.entries.map(({ level }) => level)).toEqual(['error', 'info']);
  });

  it('waits for a file that another process has locked', async () => {
    const { runs, attempts } = createStore(4, () => locked);

    await expect(record(runs).stored).resolves.toBe(true);
    expect(attempts()).toBe(5);
  });

  it('gives up after 300 attempts', async () => {
    const { runs, attempts } = createStore(Infinity);

    await expect(record(runs).stored).rejects.toBe(full);
    expect(attempts()).toBe(300);
  });

  it('does not wait for any other failure', async () => {
    const other = new Error('other');
    const { runs, attempts } = createStore(Infinity, () => other);

    await expect(record(runs).stored).rejects.toBe(other);
    expect(attempts()).toBe(1);
  });

  it('tries once more when the worker stops, and gives up', async () => {
    const { runs, attempts } = createStore(Infinity);
    const stop = new AbortController();
    const { stored } = record(runs, { timer: never, stopping: stop.signal });
    stop.abort();

    await expect(stored).rejects.toBe(full);
    expect(attempts()).toBeLessThanOrEqual(2);
  });
});
