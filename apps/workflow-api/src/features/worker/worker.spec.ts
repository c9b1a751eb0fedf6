import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createPermits, processIdentity } from '@weir/workflow-engine';
import { waitFor, type TemporaryFolder } from '@weir/test-kit';
import { unaudited } from '../../access/audited-operation';
import { createRunHarness, type RunHarness } from '../../testing/run-harness';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { createInMemoryRunStore, type InMemoryRunStore } from '../queue/in-memory-queue-driver';
import type { DagRunRepository } from '../runs';
import { createInMemoryWorkerRepository } from './in-memory-worker-repository';
import { aWorker } from '../../testing/worker-builders';

const runPaths = (folder: TemporaryFolder) => ({ logFile: folder.file('run.log'), workDir: folder.file('work') });
const readStatuses = async (runs: DagRunRepository, id: string) =>
  (await runs.listSteps(id)).map(({ name, status, error }) => [name, status, error]);

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
  ])('limits the concurrent %s', async (_, options) => {
    await harness.startWorker(options);
    const queued = await Promise.all(Array.from({ length: 6 }, () => harness.queue(busySpec())));
    for (const run of queued) await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });

    await expect(mostAtOnce()).resolves.toBe(2);
  });

  it('finds runs that another process queued', async () => {
    await harness.startWorker({ pollMs: 10 });
    const run = aRun({ logFile: harness.folder.file('run.log'), workDir: harness.folder.file('work') });
    const [stdoutFile, stderrFile] = [harness.folder.file('out'), harness.folder.file('err')];
    await runs.insert(run, [aRunStep({ stdoutFile, stderrFile })], { audit: unaudited, singleton: false });

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

  it('fails a run whose stored text can no longer be executed', async () => {
    const run = aRun({ specText: 'steps: [', logFile: harness.folder.file('run.log') });
    await runs.insert(run, [aRunStep()], { audit: unaudited, singleton: false });
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^The stored spec cannot be executed: \[/) as string,
    });
    await expect(readStatuses(runs, run.id)).resolves.toEqual([['extract', 'aborted', 'run not started']]);
  });

  it('fails a stored run with parts that the engine cannot execute', async () => {
    const specText = 'steps:\n  - {name: extract, run: "true", worker_selector: {gpu: "true"}}\n';
    const run = aRun({ specText, logFile: harness.folder.file('run.log') });
    await runs.insert(run, [aRunStep()], { audit: unaudited, singleton: false });
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({
      status: 'failed',
      error: expect.stringContaining('cannot execute it yet: step "extract": worker_selector') as string,
    });
  });

  it('reads a stored run with the base configurations of its creation', async () => {
    const specText = 'steps:\n  - {name: extract, run: test "$SHARED" = before}\n';
    const baseTexts = ['env: {SHARED: before}\n'];
    const run = aRun({ specText, baseTexts, logFile: harness.folder.file('run.log'), workDir: harness.folder.path });
    const files = { stdoutFile: harness.folder.file('out'), stderrFile: harness.folder.file('err') };
    await runs.insert(run, [aRunStep(files)], { audit: unaudited, singleton: false });
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });
  });

  it('resumes a run whose changes could not be stored, once they can', async () => {
    let isBroken = true;
    const failing: DagRunRepository = {
      ...runs,
      commit: (...change) => (isBroken ? Promise.reject(new Error('disk full')) : runs.commit(...change)),
    };
    await harness.startWorker({ runs: failing, pollMs: 10, recoverMs: 10 });
    const run = await harness.queue('steps:\n  - {name: a, run: "true"}\n');
    await waitFor(() => harness.logger.messages('error').includes('run could not be executed'), {
      what: 'a failed try',
    });
    isBroken = false;

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });
  });

  it('starts a run that it has claimed but does not execute', async () => {
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
    await runs.insert(lost, [aRunStep(files)], { audit: unaudited, singleton: false });

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

  it('starts before the processes of a lost run have ended, and executes none of it until then', async () => {
    const count = 20;
    for (let index = 0; index < count; index += 1) {
      const lost = { id: `lost-${index}`, status: 'running', ownerId: 'dead' } as const;
      const step = aRunStep({ status: 'running', pid: index + 2, processStartedAt: 'long ago' });
      await runs.insert(aRun({ ...lost, ...runPaths(harness.folder) }), [step], { audit: unaudited, singleton: false });
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

  it('ends the processes of its runs and stores nothing when its heartbeats fail', async () => {
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

  it('logs once that the database is unreachable, and once that it is back', async () => {
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

  it('keeps scripts below its own folder, and removes it and those of lost workers', async () => {
    const left = harness.folder.file('scripts', 'gone', 'weir-step-1');
    const used = harness.folder.file('scripts', 'other', 'weir-step-2');
    for (const folder of [left, used]) await mkdir(folder, { recursive: true });
    const others = createInMemoryWorkerRepository();
    await others.beat({ ...aWorker({ id: 'other' }), claims: true });
    const worker = await harness.startWorker({ workers: others });
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
    await runs.insert(run, [aRunStep({ stdoutFile, stderrFile })], { audit: unaudited, singleton: false });
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });
    expect(harness.logger.messages('warn')).toEqual(['run log is not written']);
  });
});
