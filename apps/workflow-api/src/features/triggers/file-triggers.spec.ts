import { createHash } from 'node:crypto';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import type { DagExplanation } from '@weir/workflow-contract/schemas';
import { createManualClock, temporaryFolder, type ManualClock, type TemporaryFolder } from '@weir/test-kit';
import { createInMemoryDagFlagRepository } from '../dags';
import { createInMemoryDagRunRepository, type DagRunRepository } from '../runs';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';

const start = '2026-06-01T12:00:00Z';
const everywhere = { unassigned: true, named: 'all' } as const;

describe('files that arrive', () => {
  let clock: ManualClock;
  let folder: TemporaryFolder;
  let runs: DagRunRepository;
  let flags: ReturnType<typeof createInMemoryDagFlagRepository>;
  let opened: TestWorkflow[];
  let seconds: number;

  beforeEach(async () => {
    clock = createManualClock(start);
    folder = temporaryFolder();
    await mkdir(folder.file('in'), { recursive: true });
    runs = createInMemoryDagRunRepository();
    flags = createInMemoryDagFlagRepository();
    opened = [];
    seconds = 0;
  });
  afterEach(async () => {
    await Promise.all(opened.map((test) => test.stop()));
    await folder.remove();
  });

  const spec = (rest = '') =>
    `triggers: [{files: "${folder.path}/in/*.csv", quiet: 30s${rest}}]\nsteps:\n  - run: "true"\n`;
  const open = async (text = spec()): Promise<TestWorkflow> => {
    const test = await createTestWorkflow({ clock, platform: { runs, flags } });
    opened.push(test);
    await test.application.files.catalog.ready();
    test.application.fileTriggers.follow();
    await test.addDag('load', text);
    await test.application.fileTriggers.tick();
    return test;
  };
  const put = (name: string, text: string) => writeFile(folder.file('in', name), text);
  const wait = async (test: TestWorkflow, forSeconds: number) => {
    seconds += forSeconds;
    clock.set(new Date(Date.parse(start) + seconds * 1000).toISOString());
    await test.application.fileTriggers.tick();
  };
  const listFiles = async () => {
    const found = await runs.scan({ dagName: 'load', workspaces: everywhere, limit: 2000 });
    const all = await Promise.all(found.map(({ id }) => runs.findById(id)));
    return all
      .map((run) => run?.resolvedParams.find(({ name }) => name === 'WEIR_TRIGGER_FILES')?.value ?? '[]')
      .map((text) => (JSON.parse(text) as string[]).map((file) => file.slice(`${folder.path}/in/`.length)))
      .toSorted();
  };
  const explain = async (test: TestWorkflow) => {
    const as = await test.createKey('viewer');
    return ((await test.api.send('GET /dags/load/explain', { as })).body as DagExplanation).files;
  };

  it('start one run each once they have been quiet', async () => {
    const test = await open();
    await put('a.csv', '1');
    await put('b.csv', '2');
    await put('c.txt', '3');
    await wait(test, 10);
    await put('b.csv', '22');
    await wait(test, 20);
    await expect(listFiles()).resolves.toEqual([]);
    await wait(test, 10);
    await expect(listFiles()).resolves.toEqual([['a.csv']]);
    await wait(test, 20);
    await expect(listFiles()).resolves.toEqual([['a.csv'], ['b.csv']]);
    await wait(test, 60);
    await expect(listFiles()).resolves.toHaveLength(2);
  });

  it('start a run with the trigger and the path', async () => {
    const test = await open();
    await put('a.csv', '1');
    await wait(test, 10);
    await wait(test, 30);
    const run = await runs.findLatest('load');
    expect(run).toMatchObject({ triggerType: 'file', startedBy: { kind: 'file', name: `${folder.path}/in/a.csv` } });
    expect(run?.resolvedParams).toContainEqual(
      expect.objectContaining({ name: 'WEIR_TRIGGER_FILE', value: `${folder.path}/in/a.csv` }),
    );
  });

  it('start one run together with batch', async () => {
    await put('a.csv', '1');
    await put('b.csv', '2');
    const test = await open(spec(', batch: true'));
    await wait(test, 30);
    await expect(listFiles()).resolves.toEqual([expect.arrayContaining(['a.csv', 'b.csv'])]);
  });

  it('start again with another content, and not with the same', async () => {
    await put('a.csv', '1');
    const test = await open();
    await wait(test, 30);
    await utimes(folder.file('in', 'a.csv'), 1_000, 1_000);
    await wait(test, 10);
    await wait(test, 30);
    await expect(listFiles()).resolves.toHaveLength(1);
    await put('a.csv', '2');
    await wait(test, 10);
    await wait(test, 30);
    await expect(listFiles()).resolves.toHaveLength(2);
    await rm(folder.file('in', 'a.csv'));
    await wait(test, 10);
    await put('a.csv', '2');
    await wait(test, 10);
    await wait(test, 30);
    await expect(listFiles()).resolves.toHaveLength(2);
  });

  it('start after downtime what has no run yet, with several servers once', async () => {
    await put('a.csv', '1');
    const first = await open();
    await wait(first, 30);
    await put('b.csv', '2');
    const [second, third] = [await open(), await open()];
    seconds += 30;
    clock.set(new Date(Date.parse(start) + seconds * 1000).toISOString());
    await Promise.all([first, second, third].map((test) => test.application.fileTriggers.tick()));
    await Promise.all([wait(first, 40), wait(second, 0), wait(third, 0)]);
    await expect(listFiles()).resolves.toEqual([['a.csv'], ['b.csv']]);
  });

  it('wait while the DAG is suspended', async () => {
    const test = await open();
    const as = await test.createKey('admin');
    await test.api.send('POST /dags/load/suspend', { as, body: { suspend: true } });
    await put('a.csv', '1');
    await wait(test, 60);
    await wait(test, 60);
    await expect(listFiles()).resolves.toEqual([]);
    await test.api.send('POST /dags/load/suspend', { as, body: { suspend: false } });
    await wait(test, 60);
    await wait(test, 60);
    await expect(listFiles()).resolves.toEqual([['a.csv']]);
  });

  it('of a DAG that was deleted, or has no triggers any more, are forgotten after a quarter', async () => {
    await put('a.csv', '1');
    const test = await open();
    await wait(test, 30);
    await test.addDag('other', spec());
    await wait(test, 10);
    await wait(test, 30);
    const placeOfA = createHash('sha256').update(folder.file('in', 'a.csv')).digest('hex');
    const isKnown = async (name: string) => (await runs.acceptedFiles.list(name, [placeOfA])).length > 0;
    await test.addDag('load', 'steps: [{run: "true"}]');
    const as = await test.createKey('admin');
    await test.api.send('POST /dags/other/suspend', { as, body: { suspend: true } });
    await wait(test, 89 * 86_400);
    await expect(isKnown('load')).resolves.toBe(true);
    await wait(test, 3 * 86_400);
    await expect(isKnown('load')).resolves.toBe(false);
    await expect(isKnown('other')).resolves.toBe(true);
    await test.addDag('broken', 'steps: 1');
    await test.api.send('DELETE /dags/other', { as });
    await wait(test, 2 * 86_400);
    await expect(isKnown('other')).resolves.toBe(true);
    await test.api.send('DELETE /dags/broken', { as });
    await wait(test, 2 * 86_400);
    await expect(isKnown('other')).resolves.toBe(false);
  });

  it('are explained: which run they started, and why not yet', async () => {
    clock = createManualClock(new Date());
    const test = await open(spec());
    await put('new.csv', '1');
    await expect(explain(test)).resolves.toMatchObject([{ path: `${folder.path}/in/new.csv`, state: 'changing' }]);
    await utimes(folder.file('in', 'new.csv'), 1_000, 1_000);
    await expect(explain(test)).resolves.toMatchObject([{ state: 'waiting' }]);
  });

  it('name their run in the explanation', async () => {
    await put('a.csv', '1');
    const test = await open();
    await wait(test, 30);
    const dagRunId = (await runs.findLatest('load'))?.dagRunId;
    await expect(explain(test)).resolves.toMatchObject([{ state: 'started', dagRunId }]);
  });
});
