import { startTestProxy, type TestProxy } from '../testing/test-proxy';

let proxy: TestProxy;
let id: string;
let call: string;
beforeAll(async () => {
  proxy = await startTestProxy();
  const session = await proxy.start();
  id = session.id;
  const body = { messages: [{ role: 'user', content: 'hello' }] };
  call = String((await proxy.call('/chat/completions', { key: session.key, body })).body.id);
  await proxy.call('/rl/end_session', { key: session.key });
});
afterAll(() => proxy.stop());

const exportWith = (more: object) => proxy.call('/export_trajectories', { body: { session_id: id, ...more } });

it('refuses a strict export of unproven calls, and changes nothing', async () => {
  // The calls of this proxy have no engine, so no provenance.
  const { status, body } = await exportWith({ strict: true });
  expect([status, body.reason]).toEqual([409, 'export_unproven']);
  expect(body.details).toEqual({ unproven: [{ id: call, reason: 'provenance_missing' }] });
  const { state } = (await proxy.call(`/rl/sessions/${id}`, { method: 'GET' })).body;
  expect(state).toBe('ended');
});

it('contains the provenance of each call on request', async () => {
  const without = (await exportWith({})).body.interactions as Record<string, object>;
  expect(without[call]).not.toHaveProperty('provenance');
  const { interactions } = (await exportWith({ include_provenance: true })).body;
  expect(interactions).toMatchObject({ [call]: { provenance: { [call]: null } } });
  const file = await exportWith({ include_provenance: true, format: 'safetensors' });
  expect(String(file.body.text)).toContain('"provenance":"[{');
});
