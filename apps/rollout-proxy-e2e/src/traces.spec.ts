import { startTraceCollector, type TestTraceCollector } from '@weir/test-kit';
import OpenAI from 'openai';
import { startRolloutProxy, type RolloutProxy } from './support/rollout-proxy';

let collector: TestTraceCollector;
let proxy: RolloutProxy;
beforeAll(async () => {
  collector = await startTraceCollector();
  proxy = await startRolloutProxy({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=sesame',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=lab',
    },
  });
});
afterAll(async () => {
  await proxy.dispose();
  await collector.close();
});

describe('a proxy with a collector', () => {
  it('has sent its sessions and their calls once it has stopped, also calls from before a restart', async () => {
    await proxy.request('/grant_capacity');
    const { body } = await proxy.request('/rl/start_session', { body: { task_id: 'maths' } });
    const key = String(body.session_api_key);
    const ask = async (url: string): Promise<string> => {
      const { id } = await new OpenAI({ baseURL: `${url}/v1`, apiKey: key }).chat.completions.create({
        model: 'weir-tiny',
        max_completion_tokens: 4,
        messages: [{ role: 'user', content: 'How many?' }],
      });
      return id;
    };
    const ids = [await ask(proxy.url)];
    await proxy.process.stop();
    proxy = await proxy.restart();
    ids.push(await ask(proxy.url));
    await proxy.request('/rl/end_session', { key });
    await proxy.process.stop();

    const calls = collector.spans.filter(({ name }) => name === 'chat weir-tiny');
    const sessions = collector.spans.filter(({ name }) => name === 'invoke_agent');
    expect(calls.map(({ attributes }) => attributes['gen_ai.response.id'])).toEqual(ids);
    expect(sessions).toMatchObject([
      {
        attributes: { 'weir.task.id': 'maths', 'weir.session.calls': 2, 'weir.session.end_reason': 'client' },
        resource: { 'service.name': 'weir-rollout-proxy', 'deployment.environment.name': 'lab' },
      },
    ]);
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual([sessions[0]?.spanId, sessions[0]?.spanId]);
    expect(collector.headers[0]).toMatchObject({ 'x-token': 'sesame' });
  });
});
