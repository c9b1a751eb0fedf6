import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import type { DagRun, DagRunStep } from '@weir/workflow-engine/model';
import { unaudited } from '../../access/audited-operation';
import { createDatabaseStores } from '../../testing/run-harness';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createInMemoryRunStore } from '../queue/in-memory-queue-driver';
import type { DagRunRepository } from '../runs';
import { createInMemoryRunIndex } from './in-memory-run-index';
import { createPrismaRunIndex } from './prisma-run-index';
import type { RunIndex, RunIndexQuery } from './run-index';
import { searchedWords } from './run-words';

const everywhere = { unassigned: true, named: 'all' } as const;
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));

describe.each(storeKinds)('the index of runs on %s', (kind) => {
  let stores: TestStoreSource;
  let runs: DagRunRepository;
  let index: RunIndex;
  /** Opens an index of another server, which calls this after it has read the runs. */
  let openSlowIndex: (onRead: () => Promise<void>) => RunIndex;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    if (kind === 'memory') {
      ({ runs } = createInMemoryRunStore());
      index = createInMemoryRunIndex(runs);
      openSlowIndex = (onRead) => ({ ...index, catchUp: () => onRead().then(() => 0) });
      return;
    }
    const database = await stores.openDatabase();
    ({ runs } = createDatabaseStores(database));
    index = createPrismaRunIndex(database, runs);
    openSlowIndex = (onRead) =>
      createPrismaRunIndex(database, {
        ...runs,
        listFailedSteps: async (ids) => {
          const steps = await runs.listFailedSteps(ids);
          await onRead();
          return steps;
        },
      });
  });
  afterAll(() => stores.remove());

  const add = (id: string, values: Partial<DagRun> = {}, steps: readonly DagRunStep[] = []) =>
    runs.insert(aRun({ id, dagRunId: id, ...values }), steps, { audit: unaudited, singleton: false });
  const end = (id: string, error: string) =>
    runs.commit(
      id,
      {
        kind: 'ended',
        status: 'failed',
        finishedAt: at(9),
        error,
        lease: { ownerId: 'w', token: 0 },
        patches: [],
      },
      { audit: unaudited },
    );
  const catchUp = async (): Promise<void> => {
    while ((await index.catchUp(2)) > 0);
  };
  const find = async (q: string, query: Partial<RunIndexQuery> = {}): Promise<readonly string[]> => {
    await catchUp();
    const found = await index.find({ words: searchedWords(q), workspaces: everywhere, limit: 10, ...query });
    return found.map(({ runId }) => runId);
  };

  it.each([
    ['the name of the DAG', 'ledger', { dagName: 'bank_ledger' }],
    ['a part of the id', '4f2a', { dagRunId: '0199-4f2a-77' }],
    ['a label', 'finance', { labels: ['team=finance'] }],
    ['a parameter', 'q3', { params: 'quarter=Q3 dry' }],
    ['the error', 'refused', { error: 'Connection refused.' }],
    ['words in another script', 'straße журнал', { params: 'STRASSE=Straße Журнал' }],
    ['a decomposed letter', 'caf\u00e9', { params: 'Cafe\u0301' }],
    ['characters that queries give a meaning to', '"bank" AND -(ledger):* \'', { dagName: 'bank-and-ledger' }],
  ] as const)('finds a run by %s', async (_, q, values) => {
    await add('other', { dagName: 'other' });
    await add('run', { ...values });

    await expect(find(q)).resolves.toEqual(['run']);
  });

  it('finds a run by the error of a failed step, and by none of the others', async () => {
    await add('run', { status: 'failed' }, [
      aRunStep({ position: 0, name: 'a', status: 'failed', error: 'exit code 17' }),
      aRunStep({ position: 1, name: 'b', status: 'skipped', error: 'unmet' }),
    ]);

    await expect(find('17')).resolves.toEqual(['run']);
    await expect(find('unmet')).resolves.toEqual([]);
  });

  it('finds the runs that have a word for each beginning', async () => {
    await add('both', { params: 'alpha beta' });
    await add('one', { params: 'alpha gamma' });

    await expect(find('BET alp')).resolves.toEqual(['both']);
    await expect(find('lpha')).resolves.toEqual([]);
  });

  it('finds a run by what it was when it ended', async () => {
    await add('run', { status: 'running', ownerId: 'w' });
    await expect(find('disk')).resolves.toEqual([]);
    await end('run', 'disk full');

    await expect(find('disk')).resolves.toEqual(['run']);
  });

  it('keeps what was read last when two servers index a run at the same time', async () => {
    await add('run', { status: 'running', ownerId: 'w' });
    let read = (): void => undefined;
    const isRead = new Promise<void>((resolve) => (read = resolve));
    let proceed = (): void => undefined;
    const mayStore = new Promise<void>((resolve) => (proceed = resolve));
    const slow = openSlowIndex(async () => {
      read();
      await mayStore;
    });
    const catchingUp = slow.catchUp(10);
    await isRead;
    await end('run', 'disk full');
    await catchUp();
    proceed();
    await catchingUp;

    await expect(find('disk')).resolves.toEqual(['run']);
  });

  it('lists the newest first, and continues before a position', async () => {
    for (const [id, second] of [
      ['b', 2],
      ['c', 3],
      ['a', 1],
    ] as const)
      await add(id, { createdAt: at(second) });
    await catchUp();
    const [first] = await index.find({ words: ['nightly'], workspaces: everywhere, limit: 1 });

    expect(first?.runId).toBe('c');
    await expect(find('nightly', { before: first?.position })).resolves.toEqual(['b', 'a']);
  });

  it('finds runs of the workspaces only', async () => {
    await add('none');
    await add('ops', { workspace: 'ops', createdAt: at(1) });
    await add('ops2', { workspace: 'ops2', createdAt: at(2) });

    await expect(find('nightly', { workspaces: { unassigned: false, named: ['ops'] } })).resolves.toEqual(['ops']);
    await expect(find('nightly', { workspaces: { unassigned: true, named: ['ops2'] } })).resolves.toHaveLength(2);
    await expect(find('ops')).resolves.toEqual(['ops2', 'ops']);
  });

  it('finds no child runs', async () => {
    await add('root');
    await add('child', { depth: 1, parentId: 'root', parentNode: '0', rootId: 'root' });

    await expect(find('nightly')).resolves.toEqual(['root']);
  });

  it('finds no run that was removed, indexed or not', async () => {
    await add('old', { status: 'succeeded', finishedAt: at(1) });
    await add('new', { status: 'succeeded', finishedAt: at(2), createdAt: at(2) });
    await expect(find('nightly')).resolves.toHaveLength(2);
    await add('unseen', { status: 'succeeded', finishedAt: at(1) });
    for (const id of ['old', 'unseen']) await runs.remove(id);

    // Nothing is indexed in between: a run leaves the index with its row.
    const left = await index.find({ words: ['nightly'], workspaces: everywhere, limit: 10 });
    expect(left.map(({ runId }) => runId)).toEqual(['new']);
    await expect(find('nightly')).resolves.toEqual(['new']);
  });
});
