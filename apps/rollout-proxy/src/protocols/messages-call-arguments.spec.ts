import { call } from './testing/scripted-completions';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();

it('sends and reads the numbers of a call with all their digits', async () => {
  const input = '{"id":9007199254740993,"at":[0.12345678901234567890]}';
  app.completions.play(call(0, 'weather', input));
  const { text: answer } = await app.post(
    '/v1/messages',
    JSON.stringify({
      model: 'm',
      max_tokens: 8,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name: 'weather', input_schema: { type: 'object' } }],
    }),
  );
  expect(answer).toContain(`"input":${input}`);
  const block = `{"type":"tool_use","id":"call_0","name":"weather","input":${input}}`;
  const result = '{"type":"tool_result","tool_use_id":"call_0","content":"Rain."}';
  const next = [`{"role":"assistant","content":[${block}]}`, `{"role":"user","content":[${result}]}`].join();
  await app.post('/v1/messages', `{"model":"m","max_tokens":8,"messages":[{"role":"user","content":"Hi"},${next}]}`);
  expect(app.completions.last.request.messages[1]?.toolCalls?.[0]?.arguments).toBe(input);
});
