import { AppError } from '@weir/foundation';
import { end, text, tokens } from './testing/scripted-completions';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();

const post = (body: unknown) => app.post('/completions', JSON.stringify(body));
const tokenIds = { prompt: Int32Array.of(5, 6), sampled: Int32Array.of(7, 8, 2) };

describe('POST /completions', () => {
  it('answers the official SDK with a text', async () => {
    expect(await app.openai.completions.create({ model: 'm', prompt: 'Say hello.' })).toMatchObject({
      id: expect.stringMatching(/^cmpl-/) as string,
      object: 'text_completion',
      created: 1795255200,
      model: 'm',
      choices: [{ index: 0, text: 'Hello.', finish_reason: 'stop', logprobs: null }],
      usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
    });
    expect(app.completions.last.request).toMatchObject({
      protocol: 'completions',
      messages: [],
      rawPrompt: 'Say hello.',
      maxNewTokens: 16,
      isRecorded: true,
      isStreaming: false,
    });
  });

  it('converts a request of the SDK, token ids among it', async () => {
    await app.openai.completions.create({
      model: 'm',
      prompt: [5, 6],
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      stop: ['END'],
      max_tokens: 64,
      presence_penalty: 1,
      logit_bias: { 42: -100 },
    });
    expect(app.completions.last.request).toMatchObject({
      rawPrompt: Int32Array.of(5, 6),
      sampling: { temperature: 0.5, topP: 0.9, seed: 7, presencePenalty: 1, logitBias: new Map([[42, -100]]) },
      stop: ['END'],
      maxNewTokens: 64,
    });
  });

  it.each([
    ['a list of one text', ['Say hello.'], 'Say hello.'],
    ['a list of one list of ids', [[5, 6]], Int32Array.of(5, 6)],
  ])('takes %s as a prompt', async (_what, prompt, rawPrompt) => {
    await post({ model: 'm', prompt });
    expect(app.completions.last.request.rawPrompt).toEqual(rawPrompt);
  });

  it('returns the token ids on request, in the fields of vLLM', async () => {
    app.completions.play([text('Hello.'), end({ tokenIds })]);
    const { text: body } = await post({ model: 'm', prompt: [5, 6], return_token_ids: true });
    expect(app.completions.last.request.returnsTokenIds).toBe(true);
    expect(JSON.parse(body)).toMatchObject({ choices: [{ prompt_token_ids: [5, 6], token_ids: [7, 8, 2] }] });
  });

  it('returns log-probabilities with the alternatives of each token', async () => {
    app.completions.play([tokens('He', 'llo'), text('Hello')]);
    const { choices } = await app.openai.completions.create({ model: 'm', prompt: 'Hi', logprobs: 2 });
    expect(app.completions.last.request.topLogprobs).toBe(2);
    expect(choices[0]?.logprobs).toMatchObject({ tokens: ['He', 'llo'], text_offset: [0, 2] });
    expect(choices[0]?.logprobs?.token_logprobs).toHaveLength(2);
    expect(choices[0]?.logprobs?.top_logprobs).toHaveLength(2);
  });

  it('streams every piece of text, then the reason of the end, the ids and the usage', async () => {
    app.completions.play([
      tokens('Hel'),
      text('Hel'),
      tokens('lo'),
      text('lo.'),
      end({ tokenIds, finishReason: 'length' }),
    ]);
    const chunks = [];
    for await (const chunk of await app.openai.completions.create({
      model: 'm',
      prompt: 'Hi',
      stream: true,
      logprobs: 0,
      stream_options: { include_usage: true },
    })) {
      chunks.push(chunk);
    }
    expect(
      chunks.map(({ choices: [choice] }) => [choice?.text, choice?.finish_reason, choice?.logprobs?.tokens]),
    ).toEqual([
      ['Hel', null, ['Hel']],
      ['lo.', null, ['lo']],
      ['', 'length', []],
      [undefined, undefined, undefined],
    ]);
    expect(chunks[2]).toMatchObject({ choices: [{ token_ids: [7, 8, 2] }] });
    expect(chunks[3]).toMatchObject({ usage: { total_tokens: 17 } });
  });

  it.each([
    ['no prompt', {}, 'prompt'],
    ['an empty prompt', { prompt: '' }, 'prompt'],
    ['several prompts', { prompt: ['a', 'b'] }, 'prompt'],
    ['ids that are none', { prompt: [1.5] }, 'prompt'],
    ['several answers', { prompt: 'a', n: 2 }, 'n'],
    ['the best of several', { prompt: 'a', best_of: 2 }, 'best_of'],
    ['an echo of the prompt', { prompt: 'a', echo: true }, 'echo'],
    ['a suffix', { prompt: 'a', suffix: 'b' }, 'suffix'],
    ['a field that is not known', { prompt: 'a', messages: [] }, 'messages'],
    ['an unlimited answer', { prompt: 'a', max_tokens: -1 }, 'max_tokens'],
  ])('refuses %s', async (_what, fields, param) => {
    const { status, text: body } = await post({ model: 'm', ...fields });
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: { type: 'invalid_request_error', param } });
  });

  it('accepts null for missing fields, and names those without effect', async () => {
    const { status, headers } = await post({ model: 'm', prompt: 'a', suffix: null, echo: false, user: 'me', n: 1 });
    expect([status, headers.get('x-ignored-parameters')]).toEqual([200, 'user']);
  });

  it('reports a failure after the first piece in the stream', async () => {
    const failure = new AppError('upstream_failed', 'The engine broke off.', { reason: 'engine_lost' });
    app.completions.play([text('Hel'), { kind: 'fail', error: failure }]);
    const { text: body } = await post({ model: 'm', prompt: 'a', stream: true });
    expect(body).toContain('"code":"engine_lost"');
    expect(body).not.toContain('[DONE]');
  });
});
