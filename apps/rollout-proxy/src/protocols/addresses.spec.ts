import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { sessionKey } from './testing/protocol-app';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();

const messages = [{ role: 'user' as const, content: 'Hi' }];

it('has the same base URL without /v1 for the SDKs of all protocols', async () => {
  const openai = new OpenAI({ baseURL: app.url, apiKey: sessionKey, maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: app.url, apiKey: sessionKey, maxRetries: 0 });
  const chat = await openai.chat.completions.create({ model: 'm', messages });
  const response = await openai.responses.create({ model: 'm', input: 'Hi' });
  const message = await anthropic.messages.create({ model: 'm', max_tokens: 8, messages });
  const content = await app.google.models.generateContent({ model: 'm', contents: 'Hi' });
  expect(chat.choices[0]?.message.content).toBe('Hello.');
  expect(response.output_text).toBe('Hello.');
  expect(message.content).toMatchObject([{ text: 'Hello.' }]);
  expect(content.text).toBe('Hello.');
});

describe('POST /responses/input_tokens', () => {
  it('counts for the SDK, and follows a previous response', async () => {
    const before = app.completions.completions.length;
    app.session.conversations.set('resp_1', [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
    ]);
    const tools = [{ type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: true }];
    const counted = await app.openai.responses.inputTokens.count({
      model: 'm',
      input: 'And now?',
      previous_response_id: 'resp_1',
      tools,
      // oxlint-disable-next-line typescript/no-deprecated -- clients still send it
      truncation: 'disabled',
    });
    // The fixture counts 100 for a message and 1 for a tool.
    expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: 301 });
    expect(app.completions.completions).toHaveLength(before);
  });

  it('refuses unknown fields in the form of the protocol', async () => {
    const { status, text } = await app.post('/responses/input_tokens', '{"input":"Hi","prompt":"x"}');
    expect([status, (JSON.parse(text) as { error: { param: string } }).error.param]).toEqual([400, 'prompt']);
  });
});

it.each(['/v1/chat/completions', '/responses', '/messages', '/v1/messages/count_tokens', '/responses/input_tokens'])(
  'answers 405 in the form of the protocol for GET %s',
  async (path) => {
    const answer = await fetch(app.url + path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  },
);
