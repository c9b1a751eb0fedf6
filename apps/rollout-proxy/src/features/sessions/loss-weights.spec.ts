import { readTrainingBatch } from '@weir/rollout-core';
import { temporaryFolder } from '@weir/test-kit';
import { startTestProxy, type TestProxy } from '../testing/test-proxy';
import { say } from '../testing/use-test-proxy';

describe('loss weights', () => {
  const folder = temporaryFolder();
  let proxy: TestProxy;
  beforeEach(async () => {
    proxy = await startTestProxy({ dataFolder: folder.path });
  });
  afterEach(() => proxy.stop());
  afterAll(() => folder.remove());

  const setWeight = (key: string, body: object) => proxy.call('/rl/set_loss_weight', { key, body });

  /** The weights of the rows of an export, in order. */
  async function exportWeights(id: string): Promise<readonly (readonly number[])[]> {
    const response = await fetch(`${proxy.url}/export_trajectories`, {
      method: 'POST',
      headers: { 'x-api-key': 'an-admin-key-for-specs', 'content-type': 'application/json' },
      body: JSON.stringify({ session_id: id, format: 'safetensors', include_tensors: ['loss_weights'] }),
    });
    const rows = readTrainingBatch(new Uint8Array(await response.arrayBuffer()));
    return rows.map(({ dict }) => [...(dict.loss_weights?.data ?? [])]);
  }

  it('are set for the session, a call and ranges of its tokens, and survive a restart', async () => {
    const { id, key } = await proxy.start();
    const calls = [];
    for (const content of ['one', 'two', 'three'])
      calls.push(await proxy.call('/chat/completions', { key, body: say(content) }));
    const [first, second] = calls.map(({ body }) => body.id);
    expect((await setWeight(key, { weight: 0.5 })).status).toBe(200);
    expect((await setWeight(key, { interaction_id: first, weight: 0 })).status).toBe(200);
    const ranges = [{ from: 1, to: 2, weight: 3 }];
    expect((await setWeight(key, { interaction_id: second, ranges })).status).toBe(200);
    await proxy.call('/rl/end_session', { key });
    await proxy.stop();
    proxy = await startTestProxy({ dataFolder: folder.path });
    expect(await exportWeights(id)).toEqual([
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0.5, 3],
      [0, 0, 0, 0.5, 0.5],
    ]);
  });

  it('can be corrected by the admin after the end, and not by the session', async () => {
    const { id, key } = await proxy.start();
    await proxy.call('/chat/completions', { key, body: say('one') });
    await proxy.call('/rl/end_session', { key });
    expect((await setWeight(key, { weight: 2 })).body.reason).toBe('session_ended');
    const corrected = await proxy.call('/rl/set_loss_weight', { body: { session_id: id, weight: 2 } });
    expect(corrected.status).toBe(200);
    expect(await exportWeights(id)).toEqual([[0, 0, 0, 2, 2]]);
  });

  it.each<[string, string, object]>([
    ['a negative number', 'request_invalid', { weight: -1 }],
    ['one that no float32 holds', 'loss_weight_invalid', { weight: 1e300 }],
    ['neither a weight nor ranges', 'request_invalid', {}],
    ['ranges without a call', 'request_invalid', { ranges: [{ from: 0, to: 1, weight: 1 }] }],
    [
      'both for a call',
      'request_invalid',
      { interaction_id: 'last', weight: 1, ranges: [{ from: 0, to: 1, weight: 1 }] },
    ],
    [
      'a range past the answer',
      'loss_range_invalid',
      { interaction_id: 'last', ranges: [{ from: 0, to: 3, weight: 1 }] },
    ],
    ['an unknown call', 'interaction_not_found', { interaction_id: 'other', weight: 1 }],
  ])('refuse %s', async (_case, reason, body: { interaction_id?: string }) => {
    const { key } = await proxy.start();
    const { id } = (await proxy.call('/chat/completions', { key, body: say('one') })).body;
    const named = body.interaction_id === 'last' ? { ...body, interaction_id: id } : body;
    expect((await setWeight(key, named)).body).toMatchObject({ reason });
  });
});
