import { end, reasoning, text, tokens, oneCall } from './testing/scripted-completions';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();
const weather = {
  type: 'function',
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
} as const;

describe('POST /responses', () => {
  it('answers the official SDK with a whole response', async () => {
    const response = await app.openai.responses.create({ model: 'm', input: 'Say hello.', metadata: { a: 'b' } });
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_/) as string,
      object: 'response',
      created_at: 1795255200,
      model: 'm',
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: { a: 'b' },
      parallel_tool_calls: true,
      temperature: 1,
      top_p: 1,
      tool_choice: 'auto',
      tools: [],
      output_text: 'Hello.',
      output: [
        {
          id: expect.stringMatching(/^msg_/) as string,
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello.', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 12,
        input_tokens_details: { cached_tokens: 8 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 17,
      },
    });
  });

  it('converts a request of the SDK to a protocol-independent one', async () => {
    await app.openai.responses.create({
      model: 'm',
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'Answer in Norwegian.' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { type: 'reasoning', id: 'rs_x', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{"b": 1, "a": 2}' },
        { type: 'function_call', call_id: 'b', name: 'weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'Rain.' },
        { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'Sun.' }] },
      ],
      tools: [weather],
      tool_choice: { type: 'function', name: 'weather' },
      parallel_tool_calls: false,
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 64,
      store: false,
    });
    expect(app.completions.last.request).toMatchObject({
      protocol: 'responses',
      messages: [
        { role: 'system', content: 'Be brief.', isInstructions: true },
        { role: 'system', content: 'Answer in Norwegian.' },
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: '',
          reasoning: 'Hm.',
          toolCalls: [
            { id: 'a', name: 'weather', arguments: '{"b": 1, "a": 2}' },
            { id: 'b', name: 'weather', arguments: '{}' },
          ],
        },
        { role: 'tool', content: 'Rain.', toolCallId: 'a' },
        { role: 'tool', content: 'Sun.', toolCallId: 'b' },
      ],
      tools: [{ name: 'weather', description: 'Tells the weather.', strict: false }],
      toolChoice: { kind: 'named', name: 'weather' },
      parallelToolCalls: false,
      sampling: { temperature: 0.5, topP: 0.9 },
      maxNewTokens: 64,
      isRecorded: true,
    });
  });

  it('answers reasoning, text and calls as items of their own, with and without tools in the request', async () => {
    app.completions.play(oneCall);
    const response = await app.openai.responses.create({ model: 'm', input: 'x', tools: [weather] });
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Look it up.' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'One moment.' }] },
      { type: 'function_call', call_id: 'call_0', name: 'weather', arguments: '{"city":"Oslo"}', status: 'completed' },
    ]);
    expect(response.tools).toEqual([weather]);
    expect(new Set(response.output.map(({ id }) => id)).size).toBe(3);
  });

  it('answers a truncated answer as incomplete, and an empty one as an empty message', async () => {
    app.completions.play([text('Hel'), end({ finishReason: 'length' })]);
    expect(await app.openai.responses.create({ model: 'm', input: 'x' })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    });
    app.completions.play([end({})]);
    const empty = await app.openai.responses.create({ model: 'm', input: 'x' });
    expect(empty).toMatchObject({ status: 'completed', output_text: '', output: [{ type: 'message' }] });
  });

  it('returns log-probabilities of text on request', async () => {
    app.completions.play([tokens('Hm'), reasoning('Hm'), tokens('Hel', 'lo.'), text('Hello.')]);
    const { output } = await app.openai.responses.create({
      model: 'm',
      input: 'x',
      include: ['message.output_text.logprobs'],
      top_logprobs: 1,
    });
    expect(app.completions.last.request.topLogprobs).toBe(1);
    const bytes = [72, 101, 108];
    expect(output[1]).toMatchObject({
      content: [
        {
          logprobs: [
            { token: 'Hel', logprob: -0.5, bytes, top_logprobs: [{ token: 'Hel', logprob: -0.5, bytes }] },
            { token: 'lo.' },
          ],
        },
      ],
    });
  });

  it('continues a previous response, without its instructions', async () => {
    app.completions.play(oneCall);
    const input = [
      { role: 'system' as const, content: 'Stay polite.' },
      { role: 'user' as const, content: 'Weather?' },
    ];
    const first = await app.openai.responses.create({ model: 'm', instructions: 'Be brief.', input, tools: [weather] });
    app.completions.play([text('Rain.')]);
    const result = { type: 'function_call_output' as const, call_id: 'call_0', output: 'Rain.' };
    const next = await app.openai.responses.create({
      model: 'm',
      instructions: 'Be long.',
      previous_response_id: first.id,
      input: [result],
    });
    expect(next.previous_response_id).toBe(first.id);
    expect(app.completions.last.request.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'system: Be long.',
      'system: Stay polite.',
      'user: Weather?',
      'assistant: One moment.',
      'tool: Rain.',
    ]);
    await app.openai.responses.create({ model: 'm', previous_response_id: first.id, input: [result] });
    expect(app.completions.last.request.messages[0]).toEqual({ role: 'system', content: 'Stay polite.' });
  });

  it('accepts the items of its answer, whole or by reference, as the original message', async () => {
    app.completions.play(oneCall);
    const first = await app.openai.responses.create({ model: 'm', input: 'Weather?', tools: [weather] });
    const answer = app.session.findConversation(first.id)?.at(-1);
    const user = { role: 'user' as const, content: 'Weather?' };
    const result = { type: 'function_call_output' as const, call_id: 'call_0', output: 'Rain.' };
    await app.openai.responses.create({ model: 'm', input: [user, ...first.output, result] as never });
    expect(app.completions.last.request.messages[1]).toEqual(answer);
    const references = first.output.map(({ id }) => ({ type: 'item_reference' as const, id: id ?? '' }));
    await app.openai.responses.create({ model: 'm', input: [user, ...references, result] });
    expect(app.completions.last.request.messages).toEqual([
      { role: 'user', content: 'Weather?' },
      answer,
      { role: 'tool', content: 'Rain.', toolCallId: 'call_0' },
    ]);
  });
});
