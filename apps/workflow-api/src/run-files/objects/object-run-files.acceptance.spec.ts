import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import {
  describeUnless,
  findObjectStore,
  startObjectStore,
  temporaryFolder,
  waitFor,
  type ObjectStore,
} from '@weir/test-kit';
import { createRunFiles, openRunFile, type RunFiles } from '..';
import { claimRun, type ClaimedRun } from '../testing/a-claimed-run';
import { createBucket } from '../testing/create-bucket';
import { startCuttableProxy, type CuttableProxy } from '../testing/start-cuttable-proxy';

const { python = '', missing } = findObjectStore();

describeUnless(missing, 'no object was stored')('runs whose files are objects', () => {
  const folder = temporaryFolder();
  const root = folder.path;
  let store: ObjectStore;
  let proxy: CuttableProxy;
  let reading: RunFiles;
  let writing: RunFiles;

  beforeAll(async () => {
    store = await startObjectStore(python);
    proxy = await startCuttableProxy(store.endpoint);
    const options = await createBucket(store.endpoint, 'runs');
    reading = createRunFiles(options);
    writing = createRunFiles({ ...options, endpoint: proxy.endpoint });
  }, 400_000);
  afterAll(async () => {
    await proxy.stop();
    await store.stop();
    await folder.remove();
  });

  const readLog = async (run: ClaimedRun, name: string): Promise<string | undefined> => {
    const log = await openRunFile(reading, path.join(run.logs, name));
    return (await log?.read(0, 10_000_000))?.toString();
  };
  const listKeys = async (): Promise<readonly string[]> => {
    const credentials = { accessKeyId: 'user', secretAccessKey: 'hunter2' };
    const client = new S3Client({ endpoint: store.endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'runs' }));
    client.destroy();
    return Contents.map(({ Key = '' }) => Key);
  };

  it('continues after a lost worker with the files that it had sent, and notes the interruption in the log of the step', async () => {
    const lost = await claimRun(writing, { root, id: 'lost' });
    lost.print('a.out', 'sent\n');
    lost.print('a.err', 'problem\n');
    await lost.files.flush();
    lost.print('a.out', 'not sent');
    proxy.cut();
    // The machine of the lost worker is not that of the next one.
    rmSync(lost.logs, { recursive: true });
    const next = await claimRun(reading, { root, id: 'lost', token: 2 });
    next.print('a.out', 'again\n');
    await next.files.flush();

    expect(await readLog(next, 'a.out')).toBe('sent\nagain\n');
    expect(await readLog(next, 'a.err')).toMatch(/^problem\n\n\[The worker of this run was lost\. [^\n]+\]\n$/);
    expect(await readLog(next, 'b.err')).toBeUndefined();
    lost.stopping.abort();
    await lost.files.close();
    proxy.mend();
    await next.files.close();
  });

  it('ignores files that a worker sends after another one has taken its run over', async () => {
    const paused = await claimRun(writing, { root, id: 'paused' });
    paused.print('a.out', 'early\n');
    await paused.files.flush();
    proxy.cut();
    rmSync(paused.logs, { recursive: true });
    const next = await claimRun(reading, { root, id: 'paused', token: 2 });
    next.print('a.out', 'next\n');
    await next.files.close();
    proxy.mend();
    paused.print('a.out', 'late\n');
    await paused.files.flush();

    expect(await readLog(next, 'a.out')).toBe('early\nnext\n');
    await paused.files.close();
    expect(await readLog(next, 'a.out')).toBe('early\nnext\n');
  });

  it('loses nothing when the same machine continues, even if not everything was sent', async () => {
    const killed = await claimRun(writing, { root, id: 'restarted' });
    killed.print('a.out', 'sent\n');
    await killed.files.flush();
    proxy.cut();
    killed.print('a.out', 'not sent\n');
    killed.stopping.abort();
    await killed.files.close();
    proxy.mend();
    const next = await claimRun(writing, { root, id: 'restarted', token: 2 });
    await next.files.close();

    expect(await readLog(next, 'a.out')).toBe('sent\nnot sent\n');
    expect(await readLog(next, 'a.err')).toBeUndefined();
  });

  it('delays the end of a step until the store can be reached again', async () => {
    const run = await claimRun(writing, { root, id: 'cut-off' });
    proxy.cut();
    run.print('a.out', 'printed while the store was away\n');
    const flushed = run.files.flush();
    await waitFor(() => run.logger.entries.length > 0, { what: 'the failure to be logged' });
    expect(await readLog(run, 'a.out')).toBeUndefined();
    proxy.mend();
    await flushed;

    expect(await readLog(run, 'a.out')).toBe('printed while the store was away\n');
    await run.files.close();
  });

  it('claims no run while the store cannot be reached', async () => {
    proxy.cut();
    await expect(claimRun(writing, { root, id: 'refused' })).rejects.toMatchObject({ reason: 'store_unavailable' });
    await expect(writing.view(root)).rejects.toMatchObject({ code: 'unavailable', reason: 'store_unavailable' });
    proxy.mend();
  });

  it('leaves no copy on the machine, and one manifest and few objects for each log', async () => {
    const run = await claimRun(writing, { root, id: 'merged' });
    for (let part = 0; part < 40; part += 1) {
      run.print('a.out', `${part}\n`);
      await run.files.flush();
    }
    await run.files.close();
    const keys = (await listKeys()).filter((key) => key.includes('_merged/') && key.includes('/logs/'));

    expect(existsSync(run.logs)).toBe(false);
    expect(existsSync(run.artifacts)).toBe(false);
    expect(keys.filter((key) => key.includes('/manifests/'))).toHaveLength(1);
    // 40 parts are two merged ones and eight others.
    expect(keys.filter((key) => key.includes('/parts/'))).toHaveLength(10);
    expect(await readLog(run, 'a.out')).toBe(Array.from({ length: 40 }, (_, part) => `${part}\n`).join(''));
  });

  it('sends logs only: neither declared outputs, which may have secrets, nor copies of streams', async () => {
    const run = await claimRun(writing, { root, id: 'secret' });
    for (const name of ['a.out', 'a.outputs', 'a.stdout', 'notes.txt']) run.print(name, 'x');
    await run.files.flush();
    const view = await reading.view(run.logs);

    expect((await view.list(''))?.map(({ name }) => name)).toEqual(['a.out']);
    await run.files.close();
  });
});
