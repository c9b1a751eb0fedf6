import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createTrainingLog, load, type CompletedEpisode } from '@weir/rollout-sdk';
import { spawnProcess, temporaryFolder, waitFor } from '@weir/test-kit';
import { adminKey } from './support/rollout-proxy';
import { agentPath, readCases, startSdkSetting, type SdkSetting, type TrainingCase } from './support/sdk-setting';

const trainer = path.resolve(__dirname, 'support/__fixtures__/training-trainer.mts');
const typescript = ['--import', require.resolve('tsx'), '--conditions=@weir/source'];

let setting: SdkSetting;
beforeAll(async () => {
  setting = await startSdkSetting();
});
afterAll(() => setting.stop());
afterEach(async () => {
  for (const { session_id: id } of await setting.client.sessions()) await setting.client.remove(id);
});

async function killTrainer(folder: string, stage: TrainingCase['killed_after']): Promise<void> {
  const args = [...typescript, trainer, setting.client.url, agentPath, folder, stage];
  const running = await spawnProcess({ command: process.execPath, args, env: { ROLLOUT_ADMIN_KEY: adminKey } });
  await waitFor(() => running.stdout().includes(`reached: ${stage}\n`), { deadlineMs: 60_000, what: stage });
  await running.stop({ signal: 'SIGKILL' });
}

async function recover(folder: string) {
  const weights = path.join(folder, 'weights');
  const savedVersion = existsSync(weights) ? Number(readFileSync(weights, 'utf8')) : 0;
  const log = createTrainingLog({ client: setting.client, file: path.join(folder, 'training.json') });
  const { trained, missing, episodes } = await log.recover(savedVersion);
  const delivered: CompletedEpisode[] = [];
  for await (const episode of episodes) delivered.push(episode);
  return { log, trained, missing, delivered };
}

describe('an episode that is kept until it is trained', () => {
  it.each(readCases().trainings)('$name', async ({ killed_after: stage, expected }) => {
    const folder = temporaryFolder('weir-training-');
    await killTrainer(folder.path, stage);

    const first = await recover(folder.path);
    expect(first.delivered.map(({ reward }) => reward)).toEqual(Array.from({ length: expected.delivered }, () => 1));
    expect(first.trained).toHaveLength(expected.trained);
    expect(first.missing).toEqual([]);
    expect(await setting.client.sessions()).toHaveLength(expected.at_proxy);

    const second = await recover(folder.path);
    expect({ delivered: second.delivered, trained: second.trained }).toEqual({
      delivered: first.delivered,
      trained: [],
    });
    await folder.remove();
  });

  it('is acknowledged after the next trainer trained it', async () => {
    const folder = temporaryFolder('weir-training-');
    await killTrainer(folder.path, 'begun');
    const { log, delivered } = await recover(folder.path);
    expect(load(delivered.map(({ exported }) => exported)).rows).toHaveLength(2);

    await log.begin(1, delivered);
    await expect(log.begin(2, delivered)).rejects.toMatchObject({ reason: 'already_trained' });
    await log.trained(1);
    await log.trained(1);

    expect(await setting.client.sessions()).toEqual([]);
    await folder.remove();
  });

  it('is reported as missing if the proxy removed it before the weights were saved', async () => {
    const folder = temporaryFolder('weir-training-');
    await killTrainer(folder.path, 'begun');
    const ids = (await setting.client.sessions()).map(({ session_id: id }) => id);
    await setting.client.remove(ids[0] ?? '');

    const { missing, delivered } = await recover(folder.path);

    expect(missing).toEqual(ids.slice(0, 1));
    expect(delivered.map(({ sessionId }) => sessionId)).toEqual(ids.slice(1));
    await folder.remove();
  });
});
