import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import {
  describeUnless,
  findObjectStore,
  startObjectStore,
  temporaryFolder,
  waitFor,
  type ObjectStore,
} from '@weir/test-kit';
import { answerSearch } from '../features/logs/search/search-request';
import { createLogIndexes, openLogView, readLines } from '../features/logs/reader';
import { createRunFiles, localRunFiles, openRunFile, readStored, type RunFiles } from '.';
import { claimRun, runFoldersIn } from './testing/a-claimed-run';
import { createBucket } from './testing/create-bucket';

interface Stores {
  /** Of the worker that executes runs. */
  readonly writing: RunFiles;
  /** Of a server on another machine. */
  readonly reading: RunFiles;
}

const { python = '', missing } = findObjectStore();

/** What every store of the logs and artifacts of runs promises. */
function describeRunFiles(open: () => Promise<Stores>): void {
  const folder = temporaryFolder();
  const root = folder.path;
  let { writing, reading } = { writing: localRunFiles, reading: localRunFiles };
  let runs = 0;
  let id = '';

  beforeAll(async () => ({ writing, reading } = await open()));
  beforeEach(() => {
    runs += 1;
    id = `run-${runs}`;
  });
  afterAll(() => folder.remove());

  const readLog = async (file: string, from = 0, length = Number.MAX_SAFE_INTEGER): Promise<string | undefined> => {
    const log = await openRunFile(reading, file);
    const text = (await log?.read(from, length))?.toString();
    await log?.close();
    return text;
  };
  const viewArtifacts = () => reading.view(runFoldersIn(root, id).artifacts);
  const readArtifact = async (name: string): Promise<string | undefined> => {
    const file = await (await viewArtifacts()).open(name);
    const text = (await file?.read(0, 100))?.toString();
    await file?.close();
    return text;
  };

  it('has no files of a run that was not claimed', async () => {
    const { logs, artifacts } = runFoldersIn(root, id);

    expect(await readLog(path.join(logs, 'run.log'))).toBeUndefined();
    expect(await (await reading.view(artifacts)).list('')).toBeUndefined();
    expect(await (await reading.view(artifacts)).hasFiles()).toBe(false);
  });

  it('shows the output of a running step without a request', async () => {
    const run = await claimRun(writing, { root, id });
    for (const text of ['one\n', 'two\n']) {
      run.print('each-0/0000-a.out', text);
      const log = path.join(run.logs, 'each-0/0000-a.out');
      await waitFor(async () => (await readLog(log))?.endsWith(text), { what: 'the line to be readable' });
    }
    await run.files.close();

    expect(await readLog(path.join(run.logs, 'each-0/0000-a.out'))).toBe('one\ntwo\n');
  });

  it('returns every range of a log that was flushed at any time', async () => {
    const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(2_000), fc.nat(2_000), async (parts, from, length) => {
        runs += 1;
        id = `run-${runs}`;
        const run = await claimRun(writing, { root, id });
        for (const part of parts) {
          run.print('a.out', part);
          await run.files.flush();
        }
        const whole = Buffer.from(parts.join(''));
        const expected = whole.subarray(from, from + length).toString();

        expect(await readLog(path.join(run.logs, 'a.out'), from, length)).toBe(expected);
        await run.files.close();
        expect(await readLog(path.join(run.logs, 'a.out'), from, length)).toBe(expected);
      }),
      { numRuns: 4 },
    );
  });

  it('continues the bytes and the identity of a log while it grows', async () => {
    const run = await claimRun(writing, { root, id });
    run.print('a.out', 'one\n');
    await run.files.flush();
    const opened = await openRunFile(reading, path.join(run.logs, 'a.out'));
    for (let part = 0; part < 40; part += 1) {
      run.print('a.out', `${part}\n`);
      await run.files.flush();
    }
    const grown = await openRunFile(reading, path.join(run.logs, 'a.out'));

    expect(opened).toMatchObject({ size: 4, identity: grown?.identity });
    expect((await opened?.read(0, 100))?.toString()).toBe('one\n');
    await Promise.all([opened?.close(), grown?.close(), run.files.close()]);
  });

  it('shows a log that was cut, and one that began again after its work was pushed back', async () => {
    const run = await claimRun(writing, { root, id });
    run.print('a.out', 'x'.repeat(100));
    run.print('b.out', 'before\n');
    await run.files.flush();
    writeFileSync(path.join(run.logs, 'a.out'), 'y'.repeat(110));
    truncateSync(path.join(run.logs, 'a.out'), 105);
    renameSync(path.join(run.logs, 'b.out'), path.join(run.logs, 'b.out.1'));
    run.print('b.out', 'after\n');
    await run.files.flush();
    await run.files.close();

    expect(await readLog(path.join(run.logs, 'a.out'))).toBe('y'.repeat(105));
    expect(await readLog(path.join(run.logs, 'b.out'))).toBe('after\n');
    expect(await readLog(path.join(run.logs, 'b.out.1'))).toBe('before\n');
  });

  it('returns the lines of a log by number and from its end, and finds them', async () => {
    const run = await claimRun(writing, { root, id });
    run.print('a.out', Array.from({ length: 3_000 }, (_, line) => `line ${line + 1}\n`).join(''));
    await run.files.close();
    const source = { kind: 'run', file: path.join(run.logs, 'a.out') } as const;
    const view = await openLogView(reading, source);
    const read = (range: object) => createLogIndexes().withIndex(view, (index) => readLines(view, index, range));

    expect((await read({ line: 2_500, limit: 1 })).lines).toMatchObject([{ text: 'line 2500' }]);
    expect(await read({ tail: 1 })).toMatchObject({ lines: [{ text: 'line 3000' }], totalLines: 3_000 });
    await view.close();
    const query = { text: '^line 1?77$', isPattern: true, ignoresCase: false };
    const files = await reading.describe();
    const search = { files, source, query, context: 0, limit: 10, from: { line: 1, byte: 0 }, deadlineMs: 60_000 };
    const { groups } = await answerSearch(search, createRunFiles(files));
    expect(groups.flat().map(({ text }) => text)).toEqual(['line 77', 'line 177']);
  });

  it('lists, reads, replaces and removes artifacts, and never links', async () => {
    const run = await claimRun(writing, { root, id });
    run.writeArtifact('report.txt', 'first');
    run.writeArtifact('deep/er/data.bin', 'x'.repeat(600_000));
    run.writeArtifact('gone.txt', '');
    symlinkSync('/etc/passwd', path.join(run.artifacts, 'link'));
    await run.files.flush();
    expect((await (await viewArtifacts()).list(''))?.map(({ name }) => name).toSorted()).toEqual([
      'deep',
      'gone.txt',
      'report.txt',
    ]);

    writeFileSync(path.join(run.artifacts, 'report.txt'), 'second one');
    renameSync(path.join(run.artifacts, 'gone.txt'), path.join(run.artifacts, 'deep/moved.txt'));
    await run.files.flush();
    const view = await viewArtifacts();
    expect(await view.list('deep')).toEqual(
      expect.arrayContaining([
        { name: 'moved.txt', type: 'file', size: 0 },
        expect.objectContaining({ name: 'er', type: 'directory' }),
      ]),
    );
    expect(await readArtifact('./report.txt')).toBe('second one');
    const large = await view.open('deep/er/data.bin');
    let bytes = 0;
    if (large !== undefined)
      for await (const part of readStored(large, { start: 100, end: 599_999 })) bytes += part.length;
    await large?.close();
    expect(bytes).toBe(599_900);
    for (const name of ['link', 'gone.txt', 'deep', 'none', '../x']) {
      expect(await view.open(name)).toBeUndefined();
    }
    await run.files.close();
  });

  it('gives the next owner all files on its machine, and lets it continue', async () => {
    const first = await claimRun(writing, { root, id });
    first.print('a.out', 'of the first\n');
    first.writeArtifact('made/by-first.txt', 'here');
    await first.files.close();
    const second = await claimRun(reading, { root, id, token: 2 });

    expect(readFileSync(path.join(second.logs, 'a.out'), 'utf8')).toBe('of the first\n');
    expect(readFileSync(path.join(second.artifacts, 'made/by-first.txt'), 'utf8')).toBe('here');
    second.print('a.out', 'of the second\n');
    await second.files.close();
    expect(await readLog(path.join(second.logs, 'a.out'))).toBe('of the first\nof the second\n');
    expect(await readLog(path.join(second.logs, 'a.err'))).toBeUndefined();
  });

  it('copies logs into a run that is claimed later, and removes the copies again', async () => {
    const earlier = await claimRun(writing, { root, id });
    earlier.print('a.out', 'reused\n');
    await earlier.files.close();
    const from = path.join(earlier.logs, 'a.out');
    const to = [`${id}-next`, `${id}-refused`].map((next) => path.join(runFoldersIn(root, next).logs, '0000-a.out'));
    const none = { from: `${from}.none`, to: `${to[0] ?? ''}.none` };
    await reading.copy([{ from, to: to[0] ?? '' }, none]);
    const removeCopies = await reading.copy([{ from, to: to[1] ?? '' }]);
    await removeCopies();
    const next = await claimRun(writing, { root, id: `${id}-next` });

    expect(await readLog(to[0] ?? '')).toBe('reused\n');
    expect(await readLog(none.to)).toBeUndefined();
    expect(await readLog(to[1] ?? '')).toBeUndefined();
    next.print('0000-a.out', 'more\n');
    await next.files.close();
    expect(await readLog(to[0] ?? '')).toBe('reused\nmore\n');
  });

  it('removes all files of a run', async () => {
    const run = await claimRun(writing, { root, id });
    run.print('a.out', 'x\n');
    run.writeArtifact('x', 'x');
    await run.files.close();
    for (const removed of [run.logs, run.artifacts]) await reading.remove(removed);

    expect(await readLog(path.join(run.logs, 'a.out'))).toBeUndefined();
    expect(await (await viewArtifacts()).hasFiles()).toBe(false);
    expect(existsSync(run.logs)).toBe(false);
  });

  it('is not confused by names of artifacts', async () => {
    const run = await claimRun(writing, { root, id });
    const names = ['__proto__', 'constructor', '20261121T093000123Z_x', 'ä ö?#%', 'a+b'];
    for (const name of names) run.writeArtifact(name, name);
    mkdirSync(path.join(run.artifacts, 'empty'));
    await run.files.close();

    for (const name of names) expect(await readArtifact(name)).toBe(name);
  });
}

describe('files of this machine', () => {
  describeRunFiles(() => Promise.resolve({ writing: localRunFiles, reading: localRunFiles }));
});

describeUnless(missing, 'no object was stored')('objects of a store with the interface of S3', () => {
  let store: ObjectStore;

  describeRunFiles(async () => {
    store = await startObjectStore(python);
    const options = await createBucket(store.endpoint, 'runs');
    return { writing: createRunFiles(options), reading: createRunFiles({ ...options }) };
  });
  afterAll(() => store.stop());
});
