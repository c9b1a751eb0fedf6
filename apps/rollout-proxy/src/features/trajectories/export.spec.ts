import { readTrainingBatch } from '@weir/rollout-core';
import { waitFor } from '@weir/test-kit';
import { useTestProxy } from '../testing/use-test-proxy';

const proxy = useTestProxy();
const { chat, exportSession } = proxy;

describe('an export', () => {
  it('is a safetensors file by format and by the Accept header', async () => {
    const { id, key } = await proxy.start();
    await chat(key);
    await proxy.call('/rl/end_session', { key });
    const body = JSON.stringify({ session_id: id });
    const headers = { 'x-api-key': 'an-admin-key-for-specs', 'content-type': 'application/json' };
    const response = await fetch(`${proxy.url}/export_trajectories`, {
      method: 'POST',
      body,
      headers: { ...headers, accept: 'application/x-safetensors' },
    });
    expect(response.headers.get('content-type')).toBe('application/x-safetensors');
    const [row] = readTrainingBatch(new Uint8Array(await response.arrayBuffer()));
    expect(Array.from(row?.dict.loss_mask.data ?? [])).toEqual([0, 0, 0, 1, 1]);
  });

  it('removes its session once it was sent, when asked', async () => {
    const { id, key } = await proxy.start();
    await proxy.call('/rl/end_session', { key });
    expect((await exportSession(id, { remove_session: true })).status).toBe(200);
    await waitFor(async () => (await exportSession(id)).status === 404, { what: 'the session to go' });
  });
});
