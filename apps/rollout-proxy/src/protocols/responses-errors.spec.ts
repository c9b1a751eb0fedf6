import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();
const weather = { type: 'function', name: 'weather' };

describe('errors of POST /responses', () => {
  it.each([
    ['nothing to answer', { input: [] }, 'input', 'request_invalid'],
    ['no input', { input: undefined }, 'input', 'request_invalid'],
    ['an unknown answer', { previous_response_id: 'resp_none' }, 'previous_response_id', 'previous_response_not_found'],
    ['an unknown item', { input: [{ id: 'msg_none_0' }] }, 'input[0].id', 'item_not_found'],
    ['an image', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input[0].content[0].type'],
    ['an unknown role', { input: [{ role: 'robot', content: 'x' }] }, 'input[0].role', 'request_invalid'],
    ['an item of the service', { input: [{ type: 'web_search_call' }] }, 'input[0].type'],
    ['a tool of the service', { tools: [{ type: 'web_search' }] }, 'tools[0].type', 'request_invalid'],
    ['work in the background', { background: true }, 'background', 'request_invalid'],
    ['a conversation that is cut', { truncation: 'auto' }, 'truncation', 'request_invalid'],
    ['a conversation of the service', { conversation: 'conv_1' }, 'conversation'],
    ['a stored prompt', { prompt: { id: 'x' } }, 'prompt'],
    ['an unknown include', { include: ['everything'] }, 'include[0]', 'request_invalid'],
    ['likeliest tokens without the rest', { top_logprobs: 3 }, 'top_logprobs', 'request_invalid'],
    ['an unknown field of a tool', { tools: [{ ...weather, magic: 1 }] }, 'tools.magic'],
    ['a format with tools', { tools: [weather], text: { format: { type: 'json_object' } } }, 'text.format'],
  ])('name the parameter for %s', async (_case, more, param, code = 'parameter_not_supported') => {
    const { status, text: raw } = await app.post('/v1/responses', JSON.stringify({ model: 'm', input: 'x', ...more }));
    expect(status).toBe(400);
    expect(JSON.parse(raw)).toMatchObject({ error: { param, code, type: 'invalid_request_error' } });
  });

  it('do not occur for options that only cannot be guaranteed; they are reported', async () => {
    const { response, data } = await app.openai.responses
      .create({
        model: 'm',
        input: 'x',
        reasoning: { effort: 'low', summary: 'auto' },
        text: { verbosity: 'low' },
        include: ['reasoning.encrypted_content'],
        prompt_cache_key: 'k',
      })
      .withResponse();
    expect(response.headers.get('x-ignored-parameters')).toBe(
      'prompt_cache_key, include.reasoning.encrypted_content, text.verbosity, reasoning.effort, reasoning.summary',
    );
    expect(data).toMatchObject({ prompt_cache_key: 'k', reasoning: { effort: null } });
  });

  it('accepts the sampling parameters that its SDK sends as extra ones', async () => {
    await app.openai.responses.create({ model: 'm', input: 'x', top_k: 5, min_p: 0.1, seed: 3, stop: 'END' } as never);
    expect(app.completions.last.request).toMatchObject({ sampling: { topK: 5, minP: 0.1, seed: 3 }, stop: ['END'] });
  });
});
