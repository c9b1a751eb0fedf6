import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createPermits, processIdentity } from '@weir/workflow-engine';
import { waitFor, type TemporaryFolder } from '@weir/test-kit';
import { createRunHarness, createDatabaseStores, type RunHarness } from '../../testing/run-harness';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../testing/test-stores';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { createInMemoryRunStore, type DagRunRepository, type InMemoryRunStore } from '../dag-runs';
import { createInMemoryWorkerRepository } from './in-memory-worker-repository';

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

  it('does not read again what was stored just now', async () => {
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
    const run = await harness.queue(spec, { ownerId: worker.id });

    await worker.local.execute({ run, nodes: await runs.listAllSteps(run.id) });

    await expect(runs.findById(run.id)).resolves.toMatchObject({ status: 'succeeded' });
    expect(read).toEqual([]);
  });

  it('fails with the error of the failed step and does not start what follows', async () => {
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
    await runs.insert(aRun(running), steps, { singleton: false });
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

  // A SQLite file has one worker.
  if (kind === 'sqlite') return;

  it('gives each of many runs to one of two workers', async () => {
    await harness.startWorker({ isShared: true });
    await harness.startWorker({ isShared: true });
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
      listAlive: () => Promise.resolve([]),
      remove: () => Promise.resolve(),
      removeSilent: () => Promise.resolve(),
    };
    await harness.startWorker({ isShared: false, workers: silent });
    const go = harness.folder.file('go');
    const run = await harness.queue(
      `steps:\n  - {name: a, run: "until [ -e ${go} ]; do sleep 0.02; done"}\n  - {name: b, depends: a, run: "touch ${go}.b"}\n`,
    );
    await harness.stepWhere(run, ({ pid }) => pid !== null);
    await harness.startWorker({ isShared: true });

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

describe('the worker', () => {
  let store: InMemoryRunStore;
  let runs: DagRunRepository;
  let harness: RunHarness;

  beforeEach(() => {
    store = createInMemoryRunStore();
    runs = store.runs;
    harness = createRunHarness(store);
  });
  afterEach(() => harness.stop());

  const busySpec = (): string =>
    `steps:\n  - {name: a, run: "echo + >> ${harness.folder.file('n')}; sleep 0.5; echo - >> ${harness.folder.file('n')}"}\n`;
  const mostAtOnce = async (): Promise<number> => {
    let now = 0;
    const counts = (await readFile(harness.folder.file('n'), 'utf8')).split('\n').map((line) => {
      now += line === '+' ? 1 : line === '-' ? -1 : 0;
      return now;
    });
    return Math.max(...counts);
  };

  it.each([
    ['runs', { maxRuns: 2 }],
    ['step processes', { processPermits: createPermits(2) }],
  ])('bounds the %s at the same time', async (_, options) => {
    await harness.startWorker(options);
    const queued = await Promise.all(Array.from({ length: 6 }, () => harness.queue(busySpec())));
    for (const run of queued) await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });

    await expect(mostAtOnce()).resolves.toBe(2);
  });

  it('finds runs that another process queued', async () => {
    await harness.startWorker({ pollMs: 10 });
    const run = aRun({ logFile: harness.folder.file('run.log'), workDir: harness.folder.file('work') });
    const [stdoutFile, stderrFile] = [harness.folder.file('out'), harness.folder.file('err')];
    await runs.insert(run, [aRunStep({ stdoutFile, stderrFile })], { singleton: false });

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });
  });

  it('stops a single run', async () => {
    const worker = await harness.startWorker();
    const run = await harness.queue('steps:\n  - {name: a, run: "sleep 60"}\n');
    await harness.stepWhere(run, ({ pid }) => pid !== null);

    expect(worker.stopRun(run.id)).toBe(true);
    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'aborted' });
    await waitFor(() => !worker.stopRun(run.id), { what: 'the run to be forgotten' });
  });

  it('fails a run whose stored text cannot be run any more', async () => {
    const run = aRun({ specText: 'steps: [', logFile: harness.folder.file('run.log') });
    await runs.insert(run, [aRunStep()], { singleton: false });
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^The stored spec cannot be executed: \[/) as string,
    });
    await expect(readStatuses(runs, run.id)).resolves.toEqual([['extract', 'aborted', 'run not started']]);
  });

  it('fails a stored run with parts that the engine cannot do', async () => {
    const specText = 'steps:\n  - {name: extract, run: "true", worker_selector: {gpu: "true"}}\n';
    const run = aRun({ specText, logFile: harness.folder.file('run.log') });
    await runs.insert(run, [aRunStep()], { singleton: false });
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({
      status: 'failed',
      error: expect.stringContaining('cannot execute it yet: step "extract": worker_selector') as string,
    });
  });

  it('reads a stored run with the base configurations that it was made with', async () => {
    const specText = 'steps:\n  - {name: extract, run: test "$SHARED" = before}\n';
    const baseTexts = ['env: {SHARED: before}\n'];
    const run = aRun({ specText, baseTexts, logFile: harness.folder.file('run.log'), workDir: harness.folder.path });
    const files = { stdoutFile: harness.folder.file('out'), stderrFile: harness.folder.file('err') };
    await runs.insert(run, [aRunStep(files)], { singleton: false });
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });
  });

  it('resumes a run whose changes could not be stored, once they can', async () => {
    let isBroken = true;
    const failing: DagRunRepository = {
      ...runs,
      record: (...change) => (isBroken ? Promise.reject(new Error('disk full')) : runs.record(...change)),
    };
    await harness.startWorker({ runs: failing, pollMs: 10, recoverMs: 10 });
    const run = await harness.queue('steps:\n  - {name: a, run: "true"}\n');
    await waitFor(() => harness.logger.messages('error').includes('run could not be executed'), {
      what: 'a failed try',
    });
    isBroken = false;

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });
  });

  it('starts a run that it has claimed and does not execute', async () => {
    const worker = await harness.startWorker({ pollMs: 10, recoverMs: 10 });
    const going = await harness.queue(
      `steps:\n  - {name: a, run: "until [ -e ${harness.folder.file('go')} ]; do sleep 0.02; done"}\n`,
    );
    await harness.stepWhere(going, ({ pid }) => pid !== null);
    // As after a claim whose answer was lost on its way.
    const lost = aRun({
      status: 'running',
      ownerId: worker.id,
      fencingToken: 1,
      ...runPaths(harness.folder),
    });
    const files = { stdoutFile: harness.folder.file('out'), stderrFile: harness.folder.file('err') };
    await runs.insert(lost, [aRunStep(files)], { singleton: false });

    await expect(harness.ended(lost)).resolves.toMatchObject({ status: 'succeeded', fencingToken: 2 });
    await writeFile(harness.folder.file('go'), '');
    await expect(harness.ended(going)).resolves.toMatchObject({ status: 'succeeded' });
  });

  it.each([
    ['was stored', (claim: () => Promise<unknown>) => claim()],
    ['was not', () => Promise.resolve()],
  ])('executes a run once, whose claim was not answered and %s', async (_, reach) => {
    let isLost = true;
    const losing: InMemoryRunStore['queue'] = {
      ...store.queue,
      claim: async (request) => {
        if (!isLost || request.from === 'expired') return store.queue.claim(request);
        isLost = false;
        await reach(() => store.queue.claim(request));
        throw new Error('connection lost');
      },
    };
    await harness.startWorker({ queue: losing, recoverMs: 5, pollMs: 20 });
    const run = await harness.queue(`steps:\n  - {name: a, run: "echo x >> ${harness.folder.file('ran')}"}\n`);

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded', error: null });
    await expect(readFile(harness.folder.file('ran'), 'utf8')).resolves.toBe('x\n');
  });

  it('starts before what was lost has ended, and carries nothing of it out until then', async () => {
    const count = 20;
    for (let index = 0; index < count; index += 1) {
      const lost = { id: `lost-${index}`, status: 'running', ownerId: 'dead' } as const;
      const step = aRunStep({ status: 'running', pid: index + 2, processStartedAt: 'long ago' });
      await runs.insert(aRun({ ...lost, ...runPaths(harness.folder) }), [step], { singleton: false });
    }
    const started: number[] = [];
    let letGo: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const worker = await harness.startWorker({
      endOrphan: async ({ pid }) => {
        started.push(pid);
        await gone;
        return 'gone';
      },
    });
    const run = await harness.queue('steps:\n  - {name: a, run: "true"}\n');

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });
    for (let index = 0; index < count; index += 1) {
      await expect(runs.findById(`lost-${index}`)).resolves.toMatchObject({ ownerId: worker.id, status: 'running' });
    }
    expect(started).toHaveLength(count);
    letGo();
    for (let index = 0; index < count; index += 1) {
      await expect(harness.ended({ id: `lost-${index}` })).resolves.toMatchObject({ status: 'failed' });
    }
  });

  it('ends the processes of its runs and stores nothing when it is not heard of', async () => {
    let isHeard = true;
    const heartbeat = {
      start: () => Promise.resolve(),
      silentMs: () => (isHeard ? 0 : 9_000),
      stop: () => Promise.resolve(),
    };
    const worker = await harness.startWorker({ heartbeat, stopPollMs: 10, recoverMs: 60_000 });
    const run = await harness.queue('steps:\n  - {name: a, run: "sleep 60"}\n');
    const { pid } = await harness.stepWhere(run, (step) => step.pid !== null);
    isHeard = false;

    await waitFor(async () => (await processIdentity(pid ?? 0)) === undefined, { what: 'the process to go' });
    await waitFor(() => !worker.stopRun(run.id), { what: 'the run to be given up' });
    await expect(runs.findById(run.id)).resolves.toMatchObject({ status: 'running', ownerId: worker.id });
  });

  it('tells once that the database is away, and once that it is back', async () => {
    let tries = 0;
    const away: InMemoryRunStore['queue'] = {
      ...store.queue,
      claim: (request) => {
        if (request.from === 'expired') return store.queue.claim(request);
        tries += 1;
        return tries <= 5 ? Promise.reject(new Error('away')) : store.queue.claim(request);
      },
    };
    await harness.startWorker({ queue: away, pollMs: 5 });
    await waitFor(() => harness.logger.messages('info').includes('queued runs are claimed again'), {
      what: 'the recovery',
    });

    expect(harness.logger.messages('warn')).toEqual(['queued runs cannot be claimed']);
    await waitFor(() => tries > 8, { what: 'more tries' });
    expect(harness.logger.messages('info')).toEqual(['queued runs are claimed again']);
  });

  it('removes the work folder of a run that left nothing in it, and keeps any other', async () => {
    await harness.startWorker();
    const empty = await harness.queue('steps:\n  - {name: a, run: "rm -f nothing"}\n');
    const full = await harness.queue('steps:\n  - {name: a, run: "touch result"}\n');
    await harness.ended(full);
    await harness.ended(empty);

    await waitFor(() => !existsSync(empty.workDir), { what: 'the empty folder to go' });
    expect(existsSync(path.join(full.workDir, 'result'))).toBe(true);
  });

  it('keeps scripts below its own folder, and removes it and those of workers that are gone', async () => {
    const left = harness.folder.file('scripts', 'gone', 'weir-step-1');
    const used = harness.folder.file('scripts', 'other', 'weir-step-2');
    for (const folder of [left, used]) await mkdir(folder, { recursive: true });
    const others = createInMemoryWorkerRepository();
    await others.beat({ id: 'other', host: 'here', pid: 1, startedAt: new Date() });
    const worker = await harness.startWorker({ isShared: true, workers: others });
    const run = await harness.queue(
      'steps:\n  - name: a\n    script: |\n      echo $0\n      stat -c %a "$(dirname "$(dirname "$0")")"\n',
    );
    await harness.ended(run);

    const [step] = await runs.listSteps(run.id);
    const own = harness.folder.file('scripts', worker.id);
    await expect(readFile(step?.stdoutFile ?? '', 'utf8')).resolves.toMatch(new RegExp(`^${own}/.*/script\n700\n$`));
    await waitFor(() => !existsSync(path.dirname(left)), { what: 'the leftovers to go' });
    await worker.stop();
    expect(existsSync(own)).toBe(false);
    expect(existsSync(used)).toBe(true);
  });

  it('executes without a run log that cannot be written', async () => {
    await writeFile(harness.folder.file('file'), '');
    const run = aRun({ logFile: harness.folder.file('file', 'run.log'), workDir: harness.folder.file('work') });
    const [stdoutFile, stderrFile] = [harness.folder.file('out'), harness.folder.file('err')];
    await runs.insert(run, [aRunStep({ stdoutFile, stderrFile })], { singleton: false });
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });
    expect(harness.logger.messages('warn')).toEqual(['run log is not written']);
  });
});

describe('a stop request that was stored', () => {
  const slow = 'steps:\n  - {name: wait, run: "exec sleep 60"}\n  - {name: after, run: "true", depends: wait}\n';
  let runs: DagRunRepository;
  let store: InMemoryRunStore;
  let harness: RunHarness;

  beforeEach(() => {
    store = createInMemoryRunStore();
    runs = store.runs;
    harness = createRunHarness(store);
  });
  afterEach(() => harness.stop());

  const requestStop = (id: string) => runs.apply(id, { kind: 'stop_requested', at: new Date(), error: 'run stopped' });

  it('ends the run although its worker was not notified', async () => {
    await harness.startWorker({ pollMs: 20 });
    const run = await harness.queue(slow);
    await harness.stepWhere(run, ({ pid }) => pid !== null);
    await expect(requestStop(run.id)).resolves.toMatchObject({ expected: { status: 'running' } });

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'aborted' });
    await expect(runs.listSteps(run.id)).resolves.toMatchObject([{ status: 'aborted' }, { status: 'aborted' }]);
  });

  it('leaves the other runs alone', async () => {
    await harness.startWorker({ pollMs: 20 });
    const [stopped, other] = [await harness.queue(slow), await harness.queue(slow)];
    await harness.stepWhere(stopped, ({ pid }) => pid !== null);
    await harness.stepWhere(other, ({ pid }) => pid !== null);
    await requestStop(stopped.id);
    await harness.ended(stopped);

    await expect(runs.findById(other.id)).resolves.toMatchObject({ status: 'running' });
  });

  it('lets a run that its owner left behind end aborted', async () => {
    const run = await harness.queue(slow);
    await store.queue.claim({ owner: 'dead', at: new Date(), from: 'queue' });
    await requestStop(run.id);
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'aborted', error: null });
  });
});
