import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { processIdentity } from '@weir/workflow-engine';
import { waitFor, type TemporaryFolder } from '@weir/test-kit';
import { unaudited } from '../../access/audited-operation';
import { createRunHarness, createDatabaseStores, type RunHarness } from '../../testing/run-harness';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../testing/test-stores';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import type { DagRunRepository } from '../runs';

const meet = (own: string, other: string): string =>
  `touch ${own}; until [ -e ${other} ]; do sleep 0.02; done; echo met`;
const runPaths = (folder: TemporaryFolder) => ({ logFile: folder.file('run.log'), workDir: folder.file('work') });
const readStatuses = async (runs: DagRunRepository, id: string) =>
  (await runs.listSteps(id)).map(({ name, status, error }) => [name, status, error]);

describe.each(databaseKinds)('the worker on %s', (kind) => {
  let stores: TestStoreSource;
  let runs: DagRunRepository;
  let harness: RunHarness;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    const store = createDatabaseStores(await stores.openDatabase());
    runs = store.runs;
    harness = createRunHarness(store);
  });
  afterEach(() => harness.stop());
  afterAll(() => stores.remove());

  it('runs branches side by side and joins them in order', async () => {
    await harness.startWorker();
    const run = await harness.queue(
      [
        'params: who=you',
        'env:',
        '  - GREETING: hello ${params.who}',
        'steps:',
        '  - {name: left, run: "' + meet('l', 'r') + '"}',
        '  - {name: right, run: "' + meet('r', 'l') + '"}',
        '  - {name: join, depends: [left, right], run: "echo $GREETING; ls l r"}',
        '',
      ].join('\n'),
    );

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded', error: null });
    const steps = await runs.listSteps(run.id);
    expect(steps.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    const [left, , join] = steps;
    expect(Number(join?.startedAt)).toBeGreaterThanOrEqual(Number(left?.finishedAt));
    await expect(readFile(join?.stdoutFile ?? '', 'utf8')).resolves.toBe('hello you\nl\nr\n');
    const log = await readFile(run.logFile, 'utf8');
    expect(log).toMatch(/run started .*\n.* step started step="left"\n/);
    expect(log).toMatch(/ run ended status="succeeded"\n$/);
  });

  it('does not read again what was just stored', async () => {
    const read: string[] = [];
    const noted: DagRunRepository = {
      ...runs,
      findById: (id) => {
        read.push(id);
        return runs.findById(id);
      },
      listAllSteps: (id) => {
        read.push(id);
        return runs.listAllSteps(id);
      },
    };
    const worker = await harness.startWorker({ runs: noted });
    const spec = 'steps:\n  - {name: a, run: "true"}\n';
    const run = await harness.queue(spec, { audit: unaudited, ownerId: worker.id });

    await worker.local.execute({ run, nodes: await runs.listAllSteps(run.id) });

    await expect(runs.findById(run.id)).resolves.toMatchObject({ status: 'succeeded' });
    expect(read).toEqual([]);
  });

  it('fails with the error of the failed step and does not start later steps', async () => {
    await harness.startWorker();
    const run = await harness.queue(
      'steps:\n  - {name: a, run: "echo no >&2; exit 9"}\n  - {name: b, depends: a, run: "touch b"}\n  - {name: c, run: "true"}\n',
    );

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'failed' });
    await expect(readStatuses(runs, run.id)).resolves.toEqual([
      ['a', 'failed', 'exit status 9: no'],
      ['b', 'aborted', 'upstream failed'],
      ['c', 'succeeded', null],
    ]);
    await expect(runs.listSteps(run.id)).resolves.toMatchObject([
      { exitCode: 9 },
      { startedAt: null },
      { exitCode: 0 },
    ]);
  });

  it('records and logs while the step runs', async () => {
    await harness.startWorker();
    const run = await harness.queue(
      `steps:\n  - {name: a, run: "echo early; until [ -e ${harness.folder.file('go')} ]; do sleep 0.02; done; echo late"}\n`,
    );
    const step = await harness.stepWhere(run, ({ pid }) => pid !== null);

    await waitFor(async () => (await readFile(step.stdoutFile, 'utf8')) === 'early\n', { what: 'the first line' });
    await expect(runs.findById(run.id)).resolves.toMatchObject({ status: 'running', finishedAt: null });
    await writeFile(harness.folder.file('go'), '');
    await harness.ended(run);
    await expect(readFile(step.stdoutFile, 'utf8')).resolves.toBe('early\nlate\n');
  });

  it('ends its processes when it is stopped, and leaves its runs to the next worker', async () => {
    const worker = await harness.startWorker({ maxRuns: 1 });
    const spec = 'steps:\n  - {name: a, run: "sleep 60"}\n  - {name: b, depends: a, run: "true"}\n';
    const run = await harness.queue(spec);
    const { pid } = await harness.stepWhere(run, ({ pid: found }) => found !== null);
    const waiting = await harness.queue(spec);
    await worker.stop();

    await expect(runs.findById(run.id)).resolves.toMatchObject({ status: 'running', ownerId: worker.id });
    await expect(processIdentity(pid ?? 0)).resolves.toBeUndefined();
    await expect(runs.findById(waiting.id)).resolves.toMatchObject({ status: 'queued' });
  });

  it('ends the processes of an owner that was killed, resumes its run and executes the queue', async () => {
    const orphan = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    await once(orphan, 'spawn');
    const identity = await processIdentity(orphan.pid ?? 0);
    const specText = ['extract', 'step-1', 'step-2'].map((name) => `  - {name: ${name}, run: "true"}\n`).join('');
    const running = {
      status: 'running',
      ownerId: 'dead',
      specText: `type: graph\nsteps:\n${specText}`,
      ...runPaths(harness.folder),
    } as const;
    const files = { stdoutFile: harness.folder.file('out'), stderrFile: harness.folder.file('err') };
    const steps = [
      aRunStep({ status: 'succeeded' }),
      aRunStep({ position: 1, status: 'running', pid: orphan.pid ?? 0, processStartedAt: identity?.startedAt ?? '' }),
      aRunStep({ position: 2, ...files }),
    ];
    await runs.insert(aRun(running), steps, { audit: unaudited, singleton: false });
    const queued = await harness.queue('steps:\n  - "true"\n');
    await harness.startWorker();

    await expect(harness.ended({ id: 'run-1' })).resolves.toMatchObject({ status: 'failed' });
    await expect(readStatuses(runs, 'run-1')).resolves.toEqual([
      ['extract', 'succeeded', null],
      ['step-1', 'failed', 'owner lost'],
      ['step-2', 'succeeded', null],
    ]);
    await waitFor(() => orphan.exitCode !== null || orphan.signalCode !== null, { what: 'the orphan to end' });
    await waitFor(async () => (await readFile(running.logFile, 'utf8')).includes(' run claimed from a lost owner '), {
      what: 'the take-over in the run log',
    });
    await expect(harness.ended(queued)).resolves.toMatchObject({ status: 'succeeded' });
  });

  // On SQLite the locks of processes show who is alive, and these workers share a process.
  if (kind === 'sqlite') return;

  it('gives each of many runs to one of two workers', async () => {
    await harness.startWorker();
    await harness.startWorker();
    const queued = await Promise.all(
      Array.from({ length: 12 }, () =>
        harness.queue(`steps:\n  - {name: a, run: "echo x >> ${harness.folder.file('ran')}"}\n`),
      ),
    );
    for (const run of queued) await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });

    await expect(readFile(harness.folder.file('ran'), 'utf8')).resolves.toBe('x\n'.repeat(12));
  });

  it('claims the run of a worker whose heartbeat stopped, which releases it', async () => {
    const silent = {
      beat: () => Promise.resolve(),
      list: () => Promise.resolve([]),
      listAlive: () => Promise.resolve([]),
      remove: () => Promise.resolve(),
      removeSilent: () => Promise.resolve(),
      removeAll: () => Promise.resolve(),
    };
    await harness.startWorker({ workers: silent });
    const go = harness.folder.file('go');
    const run = await harness.queue(
      `steps:\n  - {name: a, run: "until [ -e ${go} ]; do sleep 0.02; done"}\n  - {name: b, depends: a, run: "touch ${go}.b"}\n`,
    );
    await harness.stepWhere(run, ({ pid }) => pid !== null);
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'failed', fencingToken: 2 });
    await waitFor(() => harness.logger.messages('warn').includes('run claimed by another worker'), {
      what: 'the run to be given up',
    });
    await expect(readStatuses(runs, run.id)).resolves.toEqual([
      ['a', 'failed', 'owner lost'],
      ['b', 'aborted', 'upstream failed'],
    ]);
    await expect(readFile(`${go}.b`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
