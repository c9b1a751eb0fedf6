import { readdirSync } from 'node:fs';
import { temporaryFolder } from '@weir/test-kit';
import { startTestProxy } from '../testing/test-proxy';
import { say } from '../testing/use-test-proxy';

describe('leftovers of removed episodes', () => {
  it('do not exist after many episodes: no session, no key, no file, no capacity, no bytes', async () => {
    const folder = temporaryFolder();
    const proxy = await startTestProxy({ dataFolder: folder.path, env: { ROLLOUT_CAPACITY: '1' } });
    for (let episode = 0; episode < 40; episode += 1) {
      const { id, key } = await proxy.start(`task-${episode}`);
      await proxy.call('/chat/completions', { key, body: say('hello') });
      await proxy.call('/rl/end_session', { key });
      await proxy.call('/export_trajectories', { body: { session_id: id, style: 'concat' } });
      await proxy.call('/rl/acknowledge_export', { body: { session_id: id } });
    }
    expect((await proxy.call('/rl/sessions', { method: 'GET' })).body.sessions).toEqual([]);
    expect(readdirSync(folder.file('sessions'))).toEqual([]);
    const metrics = String((await proxy.call('/metrics', { method: 'GET' })).body.text);
    expect(metrics).toContain('weir_rollout_session_bytes 0');
    expect(metrics).toContain('weir_rollout_grants_unused 0');
    await proxy.stop();
    await folder.remove();
  });

  it('include no text of a client and no key in the log', async () => {
    const proxy = await startTestProxy();
    const { key } = await proxy.start();
    await proxy.call('/chat/completions', { key, body: say('a secret of the client') });
    await proxy.call('/chat/completions', { key, body: '{"messages": "a secret of the client' });
    const log = JSON.stringify(proxy.logger.entries);
    for (const text of [key, 'an-admin-key-for-specs', 'a secret of the client']) expect(log).not.toContain(text);
    await proxy.stop();
  });
});
