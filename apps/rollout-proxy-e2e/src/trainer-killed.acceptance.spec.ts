import path from 'node:path';
import { spawnProcess, waitFor, type SpawnedProcess } from '@weir/test-kit';
import { agentPath, startSdkSetting, type SdkSetting } from './support/sdk-setting';
import { adminKey } from './support/rollout-proxy';

const trainerFile = path.resolve(__dirname, 'support/__fixtures__/trainer.mts');
const typescript = ['--import', require.resolve('tsx'), '--conditions=@weir/source'];

let setting: SdkSetting;
beforeAll(async () => {
  // Longer than an agent's process takes to start on a busy machine: until its first call its session is idle.
  setting = await startSdkSetting({ ROLLOUT_SESSION_IDLE_SECONDS: '15' });
});
afterAll(() => setting.stop());

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A trainer whose agent is done with its calls and behaves as told; the process id of that agent. */
async function startTrainer(behaviour: string): Promise<{ trainer: SpawnedProcess; agent: number }> {
  const args = [...typescript, trainerFile, setting.client.url, agentPath, behaviour];
  const trainer = await spawnProcess({ command: process.execPath, args, env: { ROLLOUT_ADMIN_KEY: adminKey } });
  const agent = await waitFor(() => /^agent: (\d+)$/m.exec(trainer.stderr())?.[1], {
    what: `the agent that is to ${behaviour} to be done with its calls`,
  });
  return { trainer, agent: Number(agent) };
}

describe('a trainer that is killed', () => {
  it('ends the processes of agents that would spin or hang for ever, and their sessions end', async () => {
    const started = await Promise.all(['spin', 'hang'].map(startTrainer));

    await Promise.all(started.map(({ trainer }) => trainer.stop({ signal: 'SIGKILL' })));

    for (const { agent } of started)
      await waitFor(() => !isRunning(agent), { what: 'the process of the agent to end' });
    await waitFor(async () => (await setting.client.capacity()).unfinished === 0, { what: 'the sessions to end' });
  });
});
