import { startTestProxy, type TestProxy } from '../testing/test-proxy';

let proxy: TestProxy;
let id: string;
beforeAll(async () => {
  proxy = await startTestProxy();
  const session = await proxy.start();
  id = session.id;
  const question = { role: 'user', content: 'hello' };
  const said = await proxy.call('/chat/completions', { key: session.key, body: { messages: [question] } });
  const [{ message }] = said.body.choices as [{ message: object }];
  const messages = [question, message, { role: 'user', content: 'and now?' }];
  await proxy.call('/chat/completions', { key: session.key, body: { messages } });
  await proxy.call('/rl/end_session', { key: session.key });
});
afterAll(() => proxy.stop());

async function lastResponse(form: string | undefined): Promise<Record<string, unknown>> {
  const { status, body } = await proxy.call('/export_trajectories', {
    body: { session_id: id, ...(form && { model_response: form }) },
  });
  expect(status).toBe(200);
  const entries = Object.values(body.interactions as Record<string, { model_response: Record<string, unknown> }>);
  return entries.at(-1)?.model_response ?? {};
}

const counts = { input_tokens: 8, output_tokens: 2, stop_reason: 'stop', versions: [[0, 2]] };

describe('model_response', () => {
  it('contains counts', async () => {
    expect(await lastResponse(undefined)).toEqual(counts);
  });

  it('contains ids and log-probabilities as arrays on request', async () => {
    const { output_ids: outputIds, input_ids: inputIds, ...rest } = await lastResponse('arrays');
    expect(inputIds).toEqual([1, 2, 3, 4, expect.any(Number), 1, 2, 3]);
    expect(outputIds).toEqual([4, expect.any(Number)]);
    expect(rest).toEqual({ ...counts, output_logprobs: [-0.5, -0.25], output_versions: [0, 0] });
  });

  it('contains the same as tensors', async () => {
    const arrays = await lastResponse('arrays');
    const binary = await lastResponse('binary');
    const decode = (name: string) => {
      const { data, dtype, shape } = binary[name] as { data: string; dtype: string; shape: number[] };
      const bytes = Uint8Array.from(Buffer.from(data, 'base64')).buffer;
      const numbers = dtype === 'torch.int32' ? new Int32Array(bytes) : new Float32Array(bytes);
      expect(shape).toEqual([numbers.length]);
      return [...numbers];
    };
    for (const name of ['input_ids', 'output_ids', 'output_logprobs', 'output_versions']) {
      expect(decode(name)).toEqual(arrays[name]);
    }
  });

  it('refuses another form', async () => {
    const { status } = await proxy.call('/export_trajectories', { body: { session_id: id, model_response: 'text' } });
    expect(status).toBe(400);
  });
});
