import {
  createManualClock,
  createRecordingLogger,
  startPostgres,
  temporaryFolder,
  type TestPostgres,
} from '@weir/test-kit';
import { engineNameOf } from '@weir/rollout-engine';
import { toAdapterStore, type AdapterStore } from '../features/adapters';
import { createCapacityLedger, type CapacityLedger } from '../features/capacity';
import { toAnswerStore, type AnswerStore, type StoredAnswer } from '../features/idempotency';
import {
  openSessionFiles,
  openSessionJournals,
  type SessionJournals,
  type SessionRecord,
  type StoredSession,
} from '../features/sessions';
import { openWeightVersion } from '../features/system';
import { openDurableMap } from '../journal/durable-map';
import { createFileLimit } from '../journal/file-limit';
import { openDatabase, type Database } from './database';
import { createLease, type OpenLease } from './lease';
import { createPostgresAdapters } from './postgres-adapters';
import { createPostgresAnswers } from './postgres-answers';
import { createPostgresCapacity } from './postgres-capacity';
import { createPostgresSessionJournals } from './postgres-session-journals';
import { createRecordWriter } from './record-writer';
import { createTables } from './tables';
import { createWorkerAdapters, createWorkerCapacity, createWorkerPorts } from '../workers/open-worker';
import { openRegistry } from '../workers/registry';

const limit = 3;
const clock = createManualClock(new Date());
const logger = createRecordingLogger();

interface Ports {
  readonly journals: SessionJournals;
  readonly ledger: CapacityLedger;
  readonly answers: AnswerStore;
  readonly adapters: AdapterStore;
  /** Restores a session as a process that starts after this one was killed. */
  readonly afterKill: (sessionId: string) => Promise<StoredSession | undefined>;
  readonly close: () => Promise<void>;
}

async function openFiles(): Promise<Ports> {
  const folder = temporaryFolder();
  const shared = { sync: false, fileLimit: createFileLimit(8), logger, nowMs: () => clock.nowMs(), maxEntries: 100 };
  const journalOptions = { ...shared, folder: folder.file('sessions'), nextId: (task: string) => `${task}-0` };
  const grants = await openDurableMap<true>({ ...shared, file: folder.file('grants') });
  return {
    journals: await openSessionJournals(journalOptions),
    ledger: createCapacityLedger({
      limit,
      grantMs: 60_000,
      grants,
      nowMs: shared.nowMs,
      unfinishedSessions: () => 0,
    }),
    answers: toAnswerStore(await openDurableMap<StoredAnswer>({ ...shared, file: folder.file('answers') })),
    adapters: toAdapterStore({
      current: await openDurableMap({ ...shared, file: folder.file('adapters') }),
      loads: await openDurableMap({ ...shared, file: folder.file('adapter-loads') }),
    }),
    afterKill: async () => {
      for await (const stored of (await openSessionJournals(journalOptions)).restore()) return stored;
      return undefined;
    },
    close: () => folder.remove(),
  };
}

/** The workers of one process, without the processes. */
async function openWorkers(): Promise<Ports> {
  const folder = temporaryFolder();
  const shared = { sync: true, fileLimit: createFileLimit(8), logger, nowMs: () => clock.nowMs(), maxEntries: 100 };
  const grants = await openDurableMap<true>({ ...shared, file: folder.file('grants') });
  const files = await openSessionFiles({ ...shared, folder: folder.file('sessions') });
  const openAll = async () => ({
    answers: toAnswerStore(await openDurableMap<StoredAnswer>({ ...shared, file: folder.file('answers') })),
    adapters: toAdapterStore({
      current: await openDurableMap({ ...shared, file: folder.file('adapters') }),
      loads: await openDurableMap({ ...shared, file: folder.file('adapter-loads') }),
    }),
    weightVersion: await openWeightVersion({ ...shared, file: folder.file('weights') }),
  });
  const registry = await openRegistry({
    ...(await openAll()),
    files,
    openLedger: (unfinishedSessions) =>
      createCapacityLedger({ limit, grantMs: 60_000, grants, nowMs: shared.nowMs, unfinishedSessions }),
    maxSessions: 100,
    onWorkers: () => undefined,
    onOrphans: () => undefined,
  });
  let number = 0;
  const openOne = async () => {
    number += 1;
    const calls = registry.callsOf(number);
    const ports = createWorkerPorts({ number, calls, files });
    await ports.lease.start('http://127.0.0.1:1', events);
    return { ...ports, calls };
  };
  const first = await openOne();
  return {
    journals: {
      ...first.journals,
      // A worker takes a session with the first call that it gets for it.
      create: async (start) => {
        const { started } = await first.journals.create(start);
        const stored = await first.directory.takeOver(started.sessionId);
        if (stored === undefined) throw new Error('The session has another owner.');
        return stored;
      },
    },
    ledger: createWorkerCapacity(first.calls),
    adapters: createWorkerAdapters(first.calls),
    answers: { get: (id) => first.calls.readAnswer(id), set: (...entry) => first.calls.storeAnswer(...entry) },
    afterKill: async (id) => {
      await registry.leave(number);
      return (await openOne()).directory.takeOver(id);
    },
    close: () => folder.remove(),
  };
}

let postgres: TestPostgres;
const events = { onLost: () => undefined, onTaken: () => Promise.resolve(), onOrphans: () => undefined };

/** The drivers of one replica. */
async function openReplica(database: Database) {
  const lease = createLease({ database, leaseMs: 60_000, logger });
  await lease.start('http://127.0.0.1:1', events);
  const write = createRecordWriter(database, lease);
  const journals = createPostgresSessionJournals({ database, lease, write, maxSessions: 100, logger });
  return { lease, journals, ledger: createPostgresCapacity({ database, lease, limit, grantMs: 60_000 }) };
}

async function openTables(): Promise<Database> {
  const { url } = await postgres.createDatabase();
  const database = await openDatabase({ url, logger });
  await createTables(database);
  return database;
}

async function openPostgres(): Promise<Ports> {
  const database = await openTables();
  const { lease, ...first } = await openReplica(database);
  const leases: OpenLease[] = [lease];
  return {
    ...first,
    answers: createPostgresAnswers(database),
    adapters: createPostgresAdapters(database),
    afterKill: async (id) => {
      await database.query('DELETE FROM weir_rollout.replica');
      const second = await openReplica(database);
      leases.push(second.lease);
      return second.journals.takeOver(id);
    },
    close: async () => {
      await Promise.all(leases.map((one) => one.stop()));
      await database.stop();
    },
  };
}

const start = (taskId: string, keyHash = taskId) =>
  ({ kind: 'started', taskId, keyHash, grantId: 'none', createdAtMs: 7 }) as const;
const reward = (value: number): SessionRecord => ({ kind: 'reward', interactionId: 'call', reward: value });
const context: SessionRecord = {
  kind: 'context',
  contextKey: 'k',
  context: { tools: [], templateArguments: { ids: Int32Array.of(1, -2), logprobs: Float32Array.of(-0.1) } },
};

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

describe.each([
  ['files', openFiles],
  ['PostgreSQL', openPostgres],
  ['the files of several workers', openWorkers],
])('the storage of a proxy in %s', (_name, open) => {
  let ports: Ports;
  beforeAll(async () => {
    ports = await open();
  });
  afterAll(() => ports.close());

  it('grants up to the limit, and returns a grant whose session did not start', async () => {
    expect([await ports.ledger.grant(), await ports.ledger.grant()]).toEqual([1, 2]);
    const claimed = await ports.ledger.claim();
    expect(await ports.ledger.unused()).toBe(1);
    await claimed.release();
    expect(await ports.ledger.unused()).toBe(2);
    for (let grants = 2; grants < limit; grants += 1) await ports.ledger.grant();
    await expect(ports.ledger.grant()).rejects.toMatchObject({ reason: 'capacity_exhausted' });
    for (let claims = 0; claims < limit; claims += 1) await ports.ledger.claim();
    await expect(ports.ledger.claim()).rejects.toMatchObject({ reason: 'capacity_not_granted' });
  });

  it('keeps an answer until it expires, and the latest one of an id', async () => {
    const answer = (sealed: string) => ({ fingerprint: 'f', sealed });
    expect(await ports.answers.get('id')).toBeUndefined();
    await ports.answers.set('id', answer('one'), clock.nowMs() + 60_000);
    await ports.answers.set('id', answer('two'), clock.nowMs() + 60_000);
    await ports.answers.set('old', answer('old'), clock.nowMs() - 1_000);

    expect(await ports.answers.get('id')).toEqual(answer('two'));
    expect(await ports.answers.get('old')).toBeUndefined();
  });

  it('keeps which versions of adapters were loaded until they are unloaded', async () => {
    const { adapters } = ports;
    const [first, second] = [0, 1].map((version) => ({ name: 'math', version, path: '/a', isPinned: false }));
    if (first === undefined || second === undefined) throw new Error('There are two.');
    for (const adapter of [first, second, second]) await adapters.addLoad(adapter);
    expect((await adapters.loads()).map(({ version }) => version).sort()).toEqual([0, 1]);
    await adapters.removeLoad(engineNameOf(first));
    expect(await adapters.loads()).toEqual([second]);
  });

  it('keeps one version of each adapter, and never goes back to a lower one', async () => {
    const { adapters } = ports;
    const math = { name: 'math', version: 0, path: '/a', isPinned: true };
    expect(await adapters.find('math')).toBeUndefined();
    expect(await Promise.all([adapters.add(math), adapters.add({ ...math, path: '/b' })])).toEqual([math, math]);
    const next = { ...math, version: 4, path: '/c' };
    expect(await adapters.replace(next)).toEqual(next);
    expect(await adapters.replace({ ...math, version: 3 })).toEqual(next);
    const served = { name: 'served', version: 2, isPinned: false };
    expect(await adapters.replace(served)).toEqual(served);
    expect(await adapters.find('math')).toEqual(next);
    expect((await adapters.all()).length).toBe(2);
    await adapters.remove('math');
    await adapters.remove('unknown');
    expect([await adapters.find('math'), await adapters.all()]).toEqual([undefined, [served]]);
  });

  it('keeps the stored records, bit for bit, after the process was killed', async () => {
    const { started, journal } = await ports.journals.create(start('kept'));
    await journal.append(context);
    await journal.append(reward(0.1));
    await journal.append({ kind: 'ended', reason: 'client', atMs: 9 });

    const stored = await ports.afterKill(started.sessionId);

    expect(stored).toMatchObject({ started, damagedBytes: 0 });
    expect(stored?.records).toEqual([context, reward(0.1), { kind: 'ended', reason: 'client', atMs: 9 }]);
    await stored?.journal.append(reward(2));
    expect((await ports.afterKill(started.sessionId))?.records).toHaveLength(4);
    await stored?.journal.remove().catch(() => undefined);
  });
});

describe('two replicas of one database', () => {
  it('never both write the journal of a session', async () => {
    const database = await openTables();
    const [stale, next] = [await openReplica(database), await openReplica(database)];
    const { started, journal } = await stale.journals.create(start('fenced'));
    await journal.append(reward(1));
    expect(await next.journals.takeOver(started.sessionId)).toBeUndefined();
    // Another replica does the same once the lease has expired.
    await database.query('DELETE FROM weir_rollout.replica WHERE number = $1', [stale.lease.number]);
    const racing = [journal.append(reward(2)), next.journals.takeOver(started.sessionId)] as const;

    await expect(racing[0]).rejects.toMatchObject({ reason: 'session_moved' });
    expect((await racing[1])?.records).toEqual([reward(1)]);
    expect(journal.isOwned()).toBe(false);
    await Promise.all([stale.lease.stop(), next.lease.stop()]);
    await database.stop();
  });

  it('have at most one unfinished session for a key', async () => {
    const database = await openTables();
    const [one, two] = [await openReplica(database), await openReplica(database)];

    const { started, journal } = await one.journals.create(start('first', 'key'));
    await expect(two.journals.create(start('second', 'key'))).rejects.toMatchObject({ reason: 'session_key_in_use' });
    expect(await two.journals.findActive('key')).toBe(started.sessionId);
    await journal.append({ kind: 'ended', reason: 'client', atMs: 1 });

    expect(await two.journals.findActive('key')).toBeUndefined();
    await expect(two.journals.create(start('second', 'key'))).resolves.toBeDefined();
    await Promise.all([one.lease.stop(), two.lease.stop()]);
    await database.stop();
  });
});
