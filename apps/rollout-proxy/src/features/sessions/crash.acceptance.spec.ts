import { readdirSync, truncateSync, statSync } from 'node:fs';
import path from 'node:path';
import { spawnProcess, temporaryFolder, type SpawnedProcess } from '@weir/test-kit';
import { adminKey } from '../testing/test-proxy';

const server = path.join(__dirname, '../testing/killable-server.ts');

interface Running {
  readonly program: SpawnedProcess;
  post(route: string, key: string, body?: unknown): Promise<Record<string, unknown>>;
}

async function startIn(folder: string): Promise<Running> {
  const program = await spawnProcess({
    command: process.execPath,
    args: ['--import', 'tsx', '--conditions=@weir/source', server],
    cwd: __dirname,
    env: { ROLLOUT_PORT: '0', ROLLOUT_ADMIN_KEY: adminKey, ROLLOUT_DATA_DIR: folder },
    deadlineMs: 120_000,
  });
  await program.waitForOutput('url http', 60_000);
  const url = /url (\S+)/.exec(program.stdout())?.[1] ?? '';
  return {
    program,
    post: async (route, key, body = {}) => {
      const response = await fetch(`${url}${route}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, unknown>;
    },
  };
}

const say = (content: string) => ({ messages: [{ role: 'user', content }] });

describe('a process that is killed outright', () => {
  it('loses no answered request, and only an incomplete record of an unanswered one', async () => {
    const folder = temporaryFolder();
    const first = await startIn(folder.path);
    await first.post('/grant_capacity', adminKey);
    const started = await first.post('/rl/start_session', adminKey, { task_id: 't' });
    const key = String(started.session_api_key);
    const calls = [];
    for (let completion = 0; completion < 5; completion += 1)
      calls.push(await first.post('/chat/completions', key, say(`turn ${completion}`)));
    await first.post('/rl/set_reward', key, { reward: 0.25, interaction_id: calls[1]?.id });
    await first.program.stop({ signal: 'SIGKILL' });

    const [journal = ''] = readdirSync(path.join(folder.path, 'sessions'));
    const file = path.join(folder.path, 'sessions', journal);
    // Simulates a write that the end of the process cut off: the reward loses its last bytes.
    truncateSync(file, statSync(file).size - 5);
    const second = await startIn(folder.path);
    expect(second.program.stderr()).toContain('cut off an incomplete record at the end of a journal');
    await second.post('/rl/set_reward', key, { reward: 0.75, interaction_id: calls[2]?.id });
    await second.program.stop({ signal: 'SIGKILL' });

    const third = await startIn(folder.path);
    await third.post('/rl/end_session', key);
    const exported = await third.post('/export_trajectories', adminKey, { session_id: 't-0', discount: 0 });
    const entries = Object.values(exported.interactions as Record<string, Record<string, unknown>>);
    expect(entries.map((entry) => entry.interaction_id)).toEqual(calls.map((call) => call.id));
    expect(entries.map((entry) => entry.original_reward)).toEqual([null, null, 0.75, null, null]);
    await third.program.stop();
    await folder.remove();
  }, 120_000);
});
