import path from 'node:path';
import { spawnProcess, waitFor } from '@weir/test-kit';
import { agentPath, startSdkSetting, type SdkSetting } from './support/sdk-setting';
import { adminKey } from './support/rollout-proxy';

const trainer = path.resolve(__dirname, 'support/__fixtures__/trainer.mts');
const typescript = ['--import', require.resolve('tsx'), '--conditions=@weir/source'];

let setting: SdkSetting;
beforeAll(async () => {
  setting = await startSdkSetting({ ROLLOUT_SESSION_IDLE_SECONDS: '1' });
});
afterAll(() => setting.stop());

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a trainer that is killed', () => {
  it.each(['spin', 'hang'])(
    'takes a process with it whose agent would %s for ever, and its session ends',
    async (behaviour) => {
      const args = [...typescript, trainer, setting.client.url, agentPath, behaviour];
      const running = await spawnProcess({ command: process.execPath, args, env: { ROLLOUT_ADMIN_KEY: adminKey } });
      const pid = await waitFor(() => /^agent: (\d+)$/m.exec(running.stderr())?.[1], {
        deadlineMs: 60_000,
        what: 'the agent to be done with its calls',
      });

      await running.stop({ signal: 'SIGKILL' });

      await waitFor(() => !isRunning(Number(pid)), { deadlineMs: 30_000, what: 'the process of the agent to end' });
      await waitFor(async () => (await setting.client.capacity()).unfinished === 0, {
        deadlineMs: 60_000,
        what: 'the session to end',
      });
    },
  );
});
