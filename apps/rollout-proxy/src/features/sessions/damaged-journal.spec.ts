import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';
import { startTestProxy } from '../testing/test-proxy';

const say = (content: string) => ({ messages: [{ role: 'user', content }] });

/** Plays an episode of three calls, stops, and changes a byte within the text that is given. */
async function damage(folder: string, text: string): Promise<{ readonly id: string; readonly file: string }> {
  const proxy = await startTestProxy({ dataFolder: folder });
  const { id, key } = await proxy.start();
  for (const content of ['one', 'two', 'three']) await proxy.call('/chat/completions', { key, body: say(content) });
  await proxy.call('/rl/set_reward', { key, body: { reward: 0.5 } });
  await proxy.call('/rl/end_session', { key });
  await proxy.stop();
  const [name = ''] = readdirSync(path.join(folder, 'sessions'));
  const file = path.join(folder, 'sessions', name);
  const content = readFileSync(file);
  const at = content.indexOf(text);
  content[at] = (content[at] ?? 0) ^ 1;
  writeFileSync(file, content);
  return { id, file };
}

describe('a journal with a changed byte', () => {
  const folders: ReturnType<typeof temporaryFolder>[] = [];
  const aFolder = () => {
    const folder = temporaryFolder();
    folders.push(folder);
    return folder.path;
  };
  afterAll(() => Promise.all(folders.map((folder) => folder.remove())));

  it('keeps the session and its file, and trains nothing of it, which the export reports', async () => {
    const folder = aFolder();
    const { id, file } = await damage(folder, '"two"');
    const size = readFileSync(file).length;
    const exportAfterRestart = async () => {
      const proxy = await startTestProxy({ dataFolder: folder });
      const { status, body } = await proxy.call('/export_trajectories', { body: { session_id: id } });
      expect([status, body.interactions]).toEqual([200, {}]);
      expect(body.report).toMatchObject({
        interactions: 2,
        rows: 0,
        trainedTokens: 0,
        untrainedTokens: 4,
        journal: { damagedBytes: expect.any(Number) as number },
        quarantined: [{ reason: 'journal_damaged' }, { reason: 'journal_damaged' }],
      });
      expect(proxy.logger.messages('error')).toContain('a journal is damaged; it is kept');
      await proxy.stop();
    };
    await exportAfterRestart();
    // The damage is not forgotten.
    await exportAfterRestart();
    expect(readFileSync(file).length).toBeGreaterThanOrEqual(size);
  });

  it('that hides its session is set aside', async () => {
    const folder = aFolder();
    const { id, file } = await damage(folder, '"started"');
    const proxy = await startTestProxy({ dataFolder: folder });
    expect((await proxy.call(`/rl/sessions/${id}`, { method: 'GET' })).status).toBe(404);
    await proxy.stop();
    expect(readdirSync(path.dirname(file))).toEqual([`${path.basename(file)}.damaged`]);
  });
});
