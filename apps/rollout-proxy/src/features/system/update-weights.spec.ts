import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { AppError } from '@weir/foundation';
import { temporaryFolder } from '@weir/test-kit';
import { startTestProxy, type TestProxy } from '../testing/test-proxy';
import type { StoredWeights } from './weight-version';

describe('POST /update_weights', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let proxy: TestProxy;
  let trained: string;
  /** The content of each file that the engine received. */
  let loaded: string[];
  let initial: StoredWeights;
  let load: (content: string) => Promise<void>;

  const start = async () => {
    proxy = await startTestProxy({
      dataFolder: folder.path,
      serving: ({ initialWeights }) => {
        initial = initialWeights;
        const weights = {
          kind: 'copied' as const,
          base: '/base.gguf',
          load: async (file: string) => {
            const content = readFileSync(file, 'utf8');
            await load(content);
            loaded.push(content);
          },
        };
        return { weights };
      },
    });
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    trained = folder.file('trained.gguf');
    writeFileSync(trained, 'step 1');
    loaded = [];
    load = () => Promise.resolve();
    await start();
  });
  afterEach(async () => {
    await proxy.stop();
    await folder.remove();
  });
  const update = (version: number, more: object = {}) =>
    proxy.call('/update_weights', { body: { file: trained, version, ...more } });
  const version = async () => (await proxy.call('/get_version', { method: 'GET' })).body.version;
  const isReady = async () => (await proxy.call('/ready', { method: 'GET' })).status === 200;

  it.each(['continue', 'finish', 'drop'])('loads the file, sets the version and resumes: %s', async (rule) => {
    expect(await update(4, { in_flight: rule })).toMatchObject({ status: 200, body: { version: 4 } });
    expect([loaded, await version(), await isReady()]).toEqual([['step 1'], 4, true]);
  });

  it('has the weights after a restart, regardless of the file of the trainer', async () => {
    await update(1);
    writeFileSync(trained, 'step 2');
    await update(2);
    rmSync(trained);
    await proxy.stop();
    await start();
    expect(await version()).toBe(2);
    expect(initial.loaded).toMatchObject({ source: trained, base: '/base.gguf' });
    expect(readFileSync(initial.loaded?.file ?? '', 'utf8')).toBe('step 2');
    // Only the current copy is kept.
    expect(readdirSync(folder.file('weights'))).toHaveLength(1);
  });

  it('is executed once when it is repeated', async () => {
    await update(1);
    expect((await update(1)).body).toEqual({ version: 1 });
    expect(loaded).toEqual(['step 1']);
  });

  it.each([
    [{ version: 3 }, 400, 'version_not_monotone'],
    [{ version: 2 }, 400, 'version_not_monotone'],
    [{ version: 9, file: '/no/such/file' }, 400, 'weights_unreadable'],
  ])('refuses %j', async (request, status, reason) => {
    await proxy.call('/set_version', { body: { version: 3 } });
    const { status: answered, body } = await proxy.call('/update_weights', { body: { file: trained, ...request } });
    expect([answered, body.reason, await version(), loaded]).toEqual([status, reason, 3, []]);
  });

  it('changes nothing when the file cannot be loaded', async () => {
    load = () => Promise.reject(new AppError('unavailable', 'It is no model.', { reason: 'model_not_loaded' }));
    const { status, body } = await update(1);
    expect([status, body.reason, await version(), await isReady()]).toEqual([503, 'model_not_loaded', 0, true]);
    expect(readdirSync(folder.file('weights'))).toEqual([]);
  });

  it('stays paused if generation was paused before', async () => {
    await proxy.call('/pause_generation');
    expect((await update(1)).status).toBe(200);
    expect(await isReady()).toBe(false);
  });

  it('is refused while another one is in progress', async () => {
    let finish = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      load = () =>
        new Promise((done) => {
          finish = done;
          resolve();
        });
    });
    const first = update(1);
    await begun;
    expect((await update(2)).body.reason).toBe('weights_updating');
    finish();
    expect((await first).status).toBe(200);
  });

  it('requires the file', async () => {
    const { status, body } = await proxy.call('/update_weights', { body: { version: 1 } });
    expect([status, body.reason]).toEqual([400, 'weights_file_missing']);
  });

  it('requires the admin key', async () => {
    const { key } = await proxy.start();
    expect((await proxy.call('/update_weights', { key, body: { file: trained, version: 1 } })).status).toBe(403);
  });
});

it('is not implemented if the engine gets its weights elsewhere', async () => {
  const proxy = await startTestProxy();
  const { status, body } = await proxy.call('/update_weights', { body: { file: '/x', version: 1 } });
  expect([status, body.reason]).toEqual([501, 'weights_not_loadable']);
  await proxy.stop();
});
