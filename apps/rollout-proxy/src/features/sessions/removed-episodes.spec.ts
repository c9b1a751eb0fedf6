import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { temporaryFolder } from '@weir/test-kit';
import { startTestProxy, type TestProxy } from '../testing/test-proxy';
import { say } from '../testing/use-test-proxy';

async function removeEpisode(proxy: TestProxy, task: string): Promise<void> {
  const { id, key } = await proxy.start(task);
  await proxy.call('/chat/completions', { key, body: say('hello') });
  await proxy.call('/rl/end_session', { key });
  await proxy.call('/export_trajectories', { body: { session_id: id, style: 'concat' } });
  await proxy.call('/rl/acknowledge_export', { body: { session_id: id } });
}

describe('leftovers of removed episodes', () => {
  it('do not exist after many episodes: no session, no key, no file, no capacity, no bytes', async () => {
    const folder = temporaryFolder();
    const proxy = await startTestProxy({ dataFolder: folder.path, env: { ROLLOUT_CAPACITY: '1' } });
    for (let episode = 0; episode < 40; episode += 1) await removeEpisode(proxy, `task-${episode}`);
    expect((await proxy.call('/rl/sessions', { method: 'GET' })).body.sessions).toEqual([]);
    expect(readdirSync(folder.file('sessions'))).toEqual([]);
    const metrics = String((await proxy.call('/metrics', { method: 'GET' })).body.text);
    expect(metrics).toContain('weir_rollout_session_bytes 0');
    expect(metrics).toContain('weir_rollout_grants_unused 0');
    await proxy.stop();
    await folder.remove();
  });

  it('do not exist in memory, however many episodes there were', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const forests: WeakRef<object>[] = [];
    const proxy = await startTestProxy({ onCall: ({ cache }) => void forests.push(new WeakRef(cache)) });
    for (let episode = 0; episode < 100; episode += 1) await removeEpisode(proxy, 'task');
    const { key } = await proxy.start('present');
    await proxy.call('/chat/completions', { key, body: say('hello') });
    // A reference that was followed in this turn of the event loop is kept until its end.
    await setImmediate();
    collectGarbage();

    const kept = forests.map((forest) => forest.deref() !== undefined);
    expect(kept.at(-1)).toBe(true);
    // Connections may still hold what they have served last.
    expect(kept.filter(Boolean).length).toBeLessThan(5);
    await proxy.stop();
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
