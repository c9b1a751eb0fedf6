import { globSync } from 'node:fs';
import path from 'node:path';
import { createRolloutClient } from '@weir/rollout-sdk';
import { spawnProcess } from '@weir/test-kit';
import { adminKey, startRolloutProxy, type RolloutProxy } from './support/rollout-proxy';

const program = path.resolve(__dirname, '../../../examples/typescript-agent/main.mts');
const typescript = ['--import', require.resolve('tsx'), '--conditions=@weir/source'];

let proxy: RolloutProxy;
beforeAll(async () => {
  proxy = await startRolloutProxy();
});
afterAll(() => proxy.dispose());

async function play(mode: string): Promise<readonly string[]> {
  const args = [...typescript, program, mode, proxy.url];
  const example = await spawnProcess({ command: process.execPath, args, env: { ROLLOUT_ADMIN_KEY: adminKey } });
  const { code } = await example.exited;
  if (code !== 0) throw new Error(`The example failed with ${code}:\n${example.stderr()}`);
  return example.stdout().trim().split('\n');
}

describe('the example of an agent in TypeScript, with the embedded engine', () => {
  it.each(['inline', 'subproc'])('returns a batch in %s mode', async (mode) => {
    const lines = await play(mode);
    expect(lines[0]).toBe('group: complete');
    expect(lines.filter((line) => /^reward: \d\.\d{3}$/.test(line))).toHaveLength(4);
    const shapes = Object.fromEntries(lines.slice(5).map((line) => line.split(': ') as [string, string]));
    expect(Object.keys(shapes)).toEqual(expect.arrayContaining(['rows', 'input_ids', 'logprobs', 'rewards']));
    expect(Number(shapes.rows)).toBeGreaterThanOrEqual(4);
    expect(shapes.rewards).toBe(`float32 [${shapes.rows ?? ''}]`);
    const { body } = await proxy.request('/rl/sessions', { method: 'GET' });
    expect(body.sessions).toEqual([]);
  });
});

describe('the client, with the embedded engine', () => {
  it('loads weights as a new version', async () => {
    const client = createRolloutClient({ url: proxy.url, adminKey });
    const file = globSync('**/*.gguf', { cwd: proxy.home.file('data') }).at(0) ?? '';
    await client.updateWeights({ file: path.join(proxy.home.file('data'), file), version: 1, inFlight: 'finish' });
    expect(await client.versions.get()).toBe(1);
    await client.close();
  });
});
