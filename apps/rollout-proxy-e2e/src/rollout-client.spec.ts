import { createRolloutClient, load, type RolloutSession } from '@weir/rollout-sdk';
import { freePort } from '@weir/test-kit';
import { agentPath, importModule, startSdkSetting, type SdkSetting } from './support/sdk-setting';
import { adminKey } from './support/rollout-proxy';

let setting: SdkSetting;
beforeAll(async () => {
  setting = await startSdkSetting({ ROLLOUT_CAPACITY: '2' });
});
afterAll(() => setting.stop());
afterEach(async () => {
  for (const { session_id: id } of await setting.client.sessions()) await setting.client.remove(id);
});

const start = async (): Promise<RolloutSession> => {
  await setting.client.grant();
  return setting.client.start({ taskId: 'task' });
};

async function ask({ apiKey, baseUrl }: RolloutSession, content: string): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content }] }),
  });
  return ((await response.json()) as { id: string }).id;
}

const answering = { agent: { calls: 1, then: { do: 'return', type: 'float', value: 1 } } };

describe('a session', () => {
  it('accepts rewards, lists its interactions and exports them, until the export is acknowledged', async () => {
    const session = await start();
    const [first, second] = [await ask(session, 'One.'), await ask(session, 'Two.')];
    await session.reward(0.5, first);
    expect(await session.end()).toBe(2);
    await session.reward(1);
    expect(await session.interactions()).toEqual([
      { id: first, reward: 0.5 },
      { id: second, reward: 1 },
    ]);
    const exported = await session.export({ discount: 0 });
    expect(Object.keys(exported.interactions)).toEqual([first, second]);
    await session.acknowledge();
    expect(await setting.client.sessions()).toEqual([]);
  });

  it('records the likeliest tokens, gets loss weights, and is scored only by a model that is configured', async () => {
    await setting.client.grant();
    const session = await setting.client.start({ record: { top_logprobs: 2 } });
    const id = await ask(session, 'One.');
    await session.lossWeight(0.5);
    await session.lossWeight([{ from: 0, to: 1, weight: 3 }], id);
    await session.end();
    const tensors = ['top_logprobs', 'loss_weights'] as const;
    const { batch } = load(await session.export({ include_tensors: [...tensors] }));
    const trained = batch?.loss_mask.data.indexOf(1) ?? 0;
    expect(batch?.top_ids?.shape[2]).toBe(2);
    expect(batch?.top_ids?.data[trained * 2]).toBeGreaterThanOrEqual(0);
    expect([...(batch?.loss_weights?.data.subarray(trained) ?? [])].slice(0, 2)).toEqual([3, 0.5]);
    await expect(setting.client.score(session.id, 'teacher')).rejects.toMatchObject({ reason: 'scorer_not_found' });
  });

  it('is removed at the end of its scope', async () => {
    const leaveByError = async (): Promise<void> => {
      await using session = await start();
      await ask(session, 'One.');
      expect(await setting.client.capacity()).toEqual({ unfinished: 1, retained: 0 });
      throw new Error('the trainer failed');
    };
    await expect(leaveByError()).rejects.toThrow('the trainer failed');
    expect(await setting.client.capacity()).toEqual({ unfinished: 0, retained: 0 });
  });

  it('exports the same tensors as a file and as JSON', async () => {
    const session = await start();
    await ask(session, 'One.');
    await ask(session, 'Two.');
    await setting.client.end(session.id);
    await setting.client.reward(session.id, 1);
    const options = { discount: 0.5, include_messages: false };
    const file = load(await setting.client.exportFile(session.id, options));
    expect(file).toEqual(load(await setting.client.export(session.id, options)));
    expect(file.rows).toHaveLength(2);
    const streamed = [];
    for await (const row of setting.client.exportStream(session.id, options)) streamed.push(row);
    expect(streamed).toEqual(file.rows);
  });

  it('returns no rows of a missing session', async () => {
    const rows = setting.client.exportStream('no-session')[Symbol.asyncIterator]();
    await expect(rows.next()).rejects.toMatchObject({ status: 404 });
  });
});

describe('the client', () => {
  it('sets the version of the weights while generation is paused', async () => {
    await setting.client.pause();
    await setting.client.versions.set(7);
    await setting.client.resume();
    expect(await setting.client.versions.get()).toBe(7);
  });

  it('makes the engine load weights of a new version', async () => {
    await setting.client.updateWeights({ file: '/weights', version: 9 });
    expect(await setting.client.versions.get()).toBe(9);
  });

  it('waits for capacity', async () => {
    const held = await start();
    await start();
    const waiting = setting.client.grant();
    await held.remove();
    expect(await waiting).toBe(1);
    await setting.client.start();
  });

  it('stops waiting for capacity when its signal aborts', async () => {
    await start();
    await start();
    const controller = new AbortController();
    const waiting = setting.client.grant({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('a group that is larger than the capacity', () => {
  it('is played in turns', async () => {
    const rollout = setting.createRollout({});
    const workflow = await rollout.resolve(agentPath, { groupSize: 8, imports: { importModule } });
    const outcome = await workflow.arunEpisode(undefined, answering);
    expect(outcome).toMatchObject({ kind: 'group', status: 'complete' });
  });
});

describe('an episode at a proxy that refuses', () => {
  it('is rejected with proxy_failed', async () => {
    const client = createRolloutClient({ url: setting.client.url, adminKey: `${adminKey}-of-another-proxy` });
    const rollout = setting.createRollout({}, client);
    const workflow = await rollout.resolve(agentPath, { imports: { importModule } });
    expect(await workflow.arunEpisode(undefined, answering)).toMatchObject({
      status: 'rejected',
      reason: 'proxy_failed',
    });
    await client.close();
  });
});

describe('an episode without a proxy', () => {
  it('is rejected with proxy_failed once the wait is over', async () => {
    const port = await freePort();
    const client = createRolloutClient({ url: `http://127.0.0.1:${port}`, adminKey, maxWaitMs: 200 });
    const workflow = await setting.createRollout({}, client).resolve(agentPath, { imports: { importModule } });
    const outcome = await workflow.arunEpisode(undefined, answering);
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'proxy_failed', sessionId: undefined });
    await client.close();
  });
});
