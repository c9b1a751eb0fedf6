import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { startTestProxy, type TestProxy } from '../testing/test-proxy';
import { exported, say } from '../testing/use-test-proxy';

describe('a restart', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('restores sessions, rewards, grants and stored answers', async () => {
    const before = await startTestProxy({ dataFolder: folder.path });
    const { id, key } = await before.start();
    const first = await before.call('/chat/completions', { key, body: say('hello') });
    await before.call('/rl/set_reward', { key, body: { reward: 0.5 } });
    await before.call('/grant_capacity');
    const headers = { 'idempotency-key': 'once' };
    const start = (proxy: TestProxy) => proxy.call('/rl/start_session', { body: { task_id: 'x' }, headers });
    const started = await start(before);
    await before.call('/grant_capacity');
    await before.stop();

    const after = await startTestProxy({ dataFolder: folder.path });
    expect((await start(after)).body).toEqual(started.body);
    expect((await after.call('/grant_capacity')).body).toEqual({ capacity: 2 });
    const [choice] = first.body.choices as { message: object }[];
    const messages = [{ role: 'user', content: 'hello' }, choice?.message, { role: 'user', content: 'on' }];
    await after.call('/chat/completions', { key, body: { messages } });
    await after.call('/rl/end_session', { key });
    const answer = await after.call('/export_trajectories', { body: { session_id: id } });
    const entries = Object.values(exported(answer));
    expect(entries[0]).toMatchObject({ original_reward: 0.5 });
    expect(entries[1]).toMatchObject({ parent_id: first.body.id });
    await after.stop();
  });

  it('is refused while another process uses the folder', async () => {
    const proxy = await startTestProxy({ dataFolder: folder.path });
    await proxy.stop();
    await expect(
      startTestProxy({ dataFolder: folder.path }).then((repeated) => repeated.stop()),
    ).resolves.toBeUndefined();
  });
});
