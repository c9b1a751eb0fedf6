import type { ExportResponse, RowsResponse } from '@weir/rollout-contract';
import { readTrainingBatch } from '@weir/rollout-core';
import { readKey, user, useReadableProxy } from '../testing/use-readable-proxy';

const proxy = useReadableProxy();
const { converse, get, talk } = proxy;

describe('previews', () => {
  it('equal the later export, and do not change the session', async () => {
    const { id, key } = await converse();
    const preview = await get(`/rl/sessions/${id}/export_preview?discount=0.5&style=concat`);
    expect(preview.status).toBe(200);
    const rows = (await get(`/rl/sessions/${id}/rows?discount=0.5&style=concat`)).body as unknown as RowsResponse;
    expect((await talk(key, [user('still here?')])).id).toMatch(/^chatcmpl/);
    await proxy.call('/rl/end_session', { key });

    const again = await get(`/rl/sessions/${id}/export_preview?discount=0.5&style=concat`);
    const choices = { session_id: id, discount: 0.5, style: 'concat' };
    const exported = await proxy.call('/export_trajectories', { body: choices });
    expect(again.body).toEqual(exported.body);
    const { interactions } = exported.body as unknown as ExportResponse;
    expect(rows.rows.map((row) => row.interaction_id)).toEqual(Object.keys(interactions).slice(0, 1));
    expect(rows.rows[0]).toMatchObject({ tokens: 10, trained_tokens: 4, reward: 1 });
  });

  it('are the file of an export on request', async () => {
    const { id } = await converse();
    const answer = await fetch(`${proxy.url}/rl/sessions/${id}/export_preview?format=safetensors`, {
      headers: { 'x-api-key': readKey },
    });
    expect(readTrainingBatch(new Uint8Array(await answer.arrayBuffer()))).toHaveLength(2);
  });

  it('list omitted interactions', async () => {
    const { id, key } = await proxy.start();
    const replaced = await talk(key, [user('same')]);
    await talk(key, [user('same')]);
    const { body } = await get(`/rl/sessions/${id}/rows?drop_retry_orphans=true`);
    expect(body).toMatchObject({
      rows: [{ trained_tokens: 2 }],
      left_out: [{ interaction_id: replaced.id, reason: 'retry_orphan', sampled_tokens: 2 }],
    });
  });
});
