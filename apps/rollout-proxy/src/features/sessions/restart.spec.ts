import { mkdirSync, writeFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { encodeRecord } from '../../journal/record';
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

  it('restores a session that a version without recorded data wrote', async () => {
    const written = [
      { kind: 'started', sessionId: 'old-0', taskId: 'old', number: 0, keyHash: 'x', grantId: 'g', createdAtMs: 1 },
      {
        kind: 'interaction',
        draft: {
          id: 'chatcmpl-1',
          newMessages: [{ role: 'user', content: 'hello' }],
          output: { role: 'assistant', content: 'hi' },
          contextKey: '',
          contextIds: Int32Array.of(1, 2),
          inheritedTokens: 0,
          sampled: { ids: Int32Array.of(3), logprobs: Float32Array.of(-0.5), versions: Int32Array.of(4) },
          finishReason: 'stop',
          protocol: 'chat-completions',
          model: 'm',
          createdAtMs: 1,
          completedAtMs: 2,
          usage: { promptTokens: 2, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 },
          continuity: { kind: 'root' },
        },
      },
      { kind: 'ended', reason: 'client', atMs: 3 },
    ];
    mkdirSync(folder.file('sessions'));
    writeFileSync(folder.file('sessions', 'old.journal'), Buffer.concat(written.map(encodeRecord)));
    const proxy = await startTestProxy({ dataFolder: folder.path });
    const body = { session_id: 'old-0' };
    const [entry] = Object.values(exported(await proxy.call('/export_trajectories', { body })));
    expect(Object.keys(entry?.tensor_dict ?? {})).toContain('loss_mask');
    const more = await proxy.call('/export_trajectories', { body: { ...body, include_tensors: ['top_logprobs'] } });
    expect([more.status, more.body.reason]).toEqual([409, 'tensor_not_recorded']);
    await proxy.stop();
  });

  it('is refused while another process uses the folder', async () => {
    const proxy = await startTestProxy({ dataFolder: folder.path });
    await proxy.stop();
    await expect(
      startTestProxy({ dataFolder: folder.path }).then((repeated) => repeated.stop()),
    ).resolves.toBeUndefined();
  });
});
