import { AppError } from '@weir/foundation';
import { temporaryFolder } from '@weir/test-kit';
import { startTestProxy, type TestProxy } from '../testing/test-proxy';

describe('POST /update_weights of an engine that reads its weights itself', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let proxy: TestProxy;
  let read: object[];
  let update: () => Promise<void>;

  const start = async () => {
    proxy = await startTestProxy({
      dataFolder: folder.path,
      serving: () => ({
        weights: {
          kind: 'served',
          note: () => undefined,
          update: async (weights) => {
            await update();
            read.push(weights);
          },
        },
      }),
    });
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    read = [];
    update = () => Promise.resolve();
    await start();
  });
  afterEach(async () => {
    await proxy.stop();
    await folder.remove();
  });
  const post = (body: object) => proxy.call('/update_weights', { body });
  const isReady = async () => (await proxy.call('/ready', { method: 'GET' })).status === 200;
  const fail = () => Promise.reject(new AppError('upstream_failed', 'It failed.', { reason: 'weights_refused' }));

  it('makes the engine read them, sets the version and resumes', async () => {
    expect(await post({ file: '/weights/4', version: 4 })).toMatchObject({ status: 200, body: { version: 4 } });
    expect(read).toEqual([{ source: '/weights/4', version: 4 }]);
    expect(await isReady()).toBe(true);
  });

  it('is executed once when it is repeated, even after a restart', async () => {
    await post({ file: '/weights/4', version: 4 });
    await proxy.stop();
    await start();
    expect((await post({ file: '/weights/4', version: 4 })).status).toBe(200);
    expect(read).toHaveLength(1);
  });

  it('sets only the version if the trainer has loaded the weights', async () => {
    expect((await post({ version: 2 })).body).toEqual({ version: 2 });
    expect([read, await isReady()]).toEqual([[], true]);
  });

  it('stays paused after a failure, even after a restart, until an update succeeds', async () => {
    update = fail;
    expect((await post({ file: '/weights/1', version: 1 })).body.reason).toBe('weights_refused');
    expect(await isReady()).toBe(false);
    expect((await proxy.call('/continue_generation')).body.reason).toBe('weights_unknown');
    await proxy.stop();
    await start();
    expect(await isReady()).toBe(false);
    update = () => Promise.resolve();
    expect((await post({ file: '/weights/1', version: 1 })).status).toBe(200);
    expect(await isReady()).toBe(true);
  });

  it('resumes after a failure once the version of the weights is set', async () => {
    update = fail;
    await post({ file: '/weights/1', version: 1 });
    await proxy.call('/set_version', { body: { version: 0 } });
    expect((await proxy.call('/continue_generation')).status).toBe(200);
    expect(await isReady()).toBe(true);
  });
});
