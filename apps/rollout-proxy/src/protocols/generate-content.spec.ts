import { FunctionCallingConfigMode, GoogleGenAI, Type, type Content } from '@google/genai';
import { AppError } from '@weir/foundation';
import {
  answer,
  asked,
  body,
  functionCall,
  functionResponse,
  streamed,
  tools,
  unary,
  user,
} from './testing/google-requests';
import { startProtocolApp } from './testing/protocol-app';
import { call, end, inSequence, oneCall, text, tokens } from './testing/scripted-completions';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();
const callContent = {
  role: 'model',
  parts: [{ text: 'One moment.' }, { functionCall: { id: 'call_0', name: 'weather', args: { city: 'Oslo' } } }],
};

const last = () => app.completions.last.request;

async function chunksOf(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(JSON.parse(JSON.stringify(chunk)));
  return chunks;
}

describe('POST /models/{model}:generateContent', () => {
  it('answers the official SDK with a candidate', async () => {
    const given = await app.google.models.generateContent(asked);
    expect(given.text).toBe('Hello.');
    expect(given).toMatchObject({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 12,
        cachedContentTokenCount: 8,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 2,
        totalTokenCount: 17,
      },
      modelVersion: 'm',
      responseId: expect.stringMatching(/^gen_/) as string,
    });
  });

  it('converts a request of the SDK to a protocol-independent one', async () => {
    await app.google.models.generateContent({
      model: 'org/Model-1:8b',
      contents: [
        user({ text: 'Hi' }),
        answer(
          { text: 'Hm.', thought: true },
          { text: 'One moment.', thoughtSignature: 'eA==' },
          functionCall('weather', { id: 'a', args: { city: 'Oslo' } }),
        ),
        user(functionResponse('weather', 'Rain.', { id: 'a' }), { text: 'So' }, { text: '?' }),
      ],
      config: {
        systemInstruction: 'Be brief.',
        tools,
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
        temperature: 0.5,
        topP: 0.9,
        topK: 5,
        seed: 7,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        maxOutputTokens: 64,
        stopSequences: ['END'],
        candidateCount: 1,
        responseLogprobs: true,
        logprobs: 2,
      },
    });
    expect(last()).toMatchObject({
      protocol: 'generate-content',
      model: 'org/Model-1:8b',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: 'One moment.',
          reasoning: 'Hm.',
          toolCalls: [{ id: 'a', name: 'weather', arguments: '{"city":"Oslo"}' }],
        },
        { role: 'tool', content: 'Rain.', toolCallId: 'a', name: 'weather' },
        { role: 'user', content: 'So?' },
      ],
      tools: [
        {
          name: 'weather',
          parameters: { type: 'object', properties: { city: { type: ['string', 'null'] } }, required: ['city'] },
        },
      ],
      toolChoice: { kind: 'required' },
      parallelToolCalls: true,
      sampling: {
        temperature: 0.5,
        topP: 0.9,
        topK: 5,
        seed: 7,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
      },
      stop: ['END'],
      maxNewTokens: 64,
      topLogprobs: 2,
      isRecorded: true,
      isStreaming: false,
    });
  });

  it.each([
    ['no mode', undefined, { kind: 'auto' }],
    ['AUTO', { mode: 'AUTO' }, { kind: 'auto' }],
    ['NONE', { mode: 'NONE' }, { kind: 'none' }],
    ['ANY', { mode: 'ANY' }, { kind: 'required' }],
    ['ANY of one function', { mode: 'ANY', allowedFunctionNames: ['weather'] }, { kind: 'named', name: 'weather' }],
  ])('chooses functions by %s', async (_mode, functionCallingConfig, choice) => {
    await app.post(unary, JSON.stringify({ ...body, tools, toolConfig: { functionCallingConfig } }));
    expect(last().toolChoice).toEqual(choice);
  });

  it('answers text and calls as parts, and thoughts only on request', async () => {
    app.completions.play(oneCall);
    const given = await app.google.models.generateContent({ ...asked, config: { tools } });
    expect(given.candidates?.[0]).toMatchObject({ content: callContent, finishReason: 'STOP' });
    expect(given.functionCalls).toEqual([{ id: 'call_0', name: 'weather', args: { city: 'Oslo' } }]);
    const thinking = await app.google.models.generateContent({
      ...asked,
      config: { tools, thinkingConfig: { includeThoughts: true } },
    });
    expect(thinking.candidates?.[0]?.content?.parts).toEqual([
      { text: 'Look it up.', thought: true },
      ...callContent.parts,
    ]);
  });

  it.each([
    ['STOP', [text('a')]],
    ['STOP', [text('a'), end({ stopText: 'END' })]],
    ['MAX_TOKENS', [text('a'), end({ finishReason: 'length' })]],
    ['STOP', [end({})]],
  ] as const)('returns the reason of its end: %s', async (reason, script) => {
    app.completions.play(script);
    const given = await app.google.models.generateContent(asked);
    expect(given.candidates?.[0]?.finishReason).toBe(reason);
    expect(given.candidates?.[0]?.content?.parts).toHaveLength(1);
  });

  it('constrains the answer to a schema, with its keys in the order that it names', async () => {
    app.completions.play([text('{"sky":"grey"}')]);
    const given = await app.google.models.generateContent({
      ...asked,
      config: {
        responseMimeType: 'application/json',
        responseSchema: {
          type: Type.OBJECT,
          properties: {
            b: { type: Type.ARRAY, items: { type: Type.INTEGER }, maxItems: '3' },
            a: { type: Type.STRING },
          },
          required: ['a', 'b'],
          propertyOrdering: ['a', 'b'],
        },
      },
    });
    expect(JSON.parse(given.text ?? '')).toEqual({ sky: 'grey' });
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'array', items: { type: 'integer' }, maxItems: 3 } },
      required: ['a', 'b'],
    };
    expect(last().format).toEqual({ kind: 'json_schema', schema });
    expect(JSON.stringify(last().format)).toContain('"properties":{"a"');
    const generationConfig = { responseMimeType: 'application/json', responseJsonSchema: schema };
    await app.post(unary, JSON.stringify({ ...body, generationConfig }));
    expect(last().format).toEqual({ kind: 'json_schema', schema });
    await app.google.models.generateContent({ ...asked, config: { responseMimeType: 'application/json' } });
    expect(last().format).toEqual({ kind: 'json_object' });
  });

  it('takes names with underscores too, and leaves those of the caller as they are', async () => {
    const schema = { type: 'OBJECT', properties: { a_b: { type: 'STRING' } }, property_ordering: ['a_b'] };
    const request = {
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        ...body.contents,
        { role: 'model', parts: [{ function_call: { name: 'f', args: { a_b: 1 } } }] },
        { parts: [{ function_response: { name: 'f', response: { c_d: 2 } } }] },
      ],
      generation_config: { max_output_tokens: 9, response_mime_type: 'application/json', response_schema: schema },
      tools: [{ function_declarations: [{ name: 'f', parameters_json_schema: { properties: { a_b: {} } } }] }],
      tool_config: { function_calling_config: { mode: 'NONE' } },
      chat_template_kwargs: { enable_thinking: false },
      min_p: 0.1,
    };
    const { status } = await app.post(unary, JSON.stringify(request));
    expect(status).toBe(200);
    expect(last()).toMatchObject({
      messages: [
        { content: 'Be brief.' },
        {},
        { toolCalls: [{ arguments: '{"a_b":1}' }] },
        { role: 'tool', content: '{"c_d":2}' },
      ],
      tools: [{ parameters: { properties: { a_b: {} } } }],
      toolChoice: { kind: 'none' },
      maxNewTokens: 9,
      format: { schema: { type: 'object', properties: { a_b: { type: 'string' } } } },
      templateArguments: { enable_thinking: false },
      sampling: { minP: 0.1 },
    });
  });

  it('returns log-probabilities of the tokens', async () => {
    app.completions.play([tokens('Hel', 'lo.'), text('Hello.')]);
    const given = await app.google.models.generateContent({
      ...asked,
      config: { responseLogprobs: true, logprobs: 1 },
    });
    const chosen = { tokenId: 1, token: 'lo.', logProbability: -0.5 };
    expect(given.candidates?.[0]?.logprobsResult?.chosenCandidates?.[1]).toEqual(chosen);
    expect(given.candidates?.[0]?.logprobsResult?.topCandidates?.[1]).toEqual({ candidates: [chosen] });
  });

  it('does not record a call with store false', async () => {
    await app.post(unary, JSON.stringify({ ...body, store: false }));
    expect(last().isRecorded).toBe(false);
  });
});

describe('POST /models/{model}:streamGenerateContent', () => {
  it('sends text as it arrives, calls whole, and the usage at the end', async () => {
    app.completions.play(oneCall);
    const config = { tools, thinkingConfig: { includeThoughts: true } };
    const stream = await app.google.models.generateContentStream({ ...asked, config });
    const chunks = await chunksOf(stream);
    const parts = (...given: readonly object[]) => ({ candidates: [{ content: answer(...given), index: 0 }] });
    expect(chunks).toMatchObject([
      parts({ text: 'Look it up.', thought: true }),
      parts({ text: 'One moment.' }),
      parts(callContent.parts[1] ?? {}),
      { candidates: [{ finishReason: 'STOP' }], usageMetadata: { totalTokenCount: 17 }, modelVersion: 'm' },
    ]);
    expect(new Set(chunks.map((chunk) => (chunk as { responseId: string }).responseId)).size).toBe(1);
  });

  it('sends log-probabilities with the text that they are of', async () => {
    app.completions.play([tokens('Hel'), text('Hel'), tokens('lo.', ''), text('lo.')]);
    const stream = await app.google.models.generateContentStream({ ...asked, config: { responseLogprobs: true } });
    const counts = [];
    for await (const { candidates } of stream)
      counts.push(candidates?.[0]?.logprobsResult?.chosenCandidates?.length ?? 0);
    expect(counts).toEqual([1, 2, 0]);
  });

  it('raises a failure after the first token as an error of the SDK', async () => {
    app.completions.play([text('Hel'), { kind: 'fail', error: overloaded }]);
    const chunks: (string | undefined)[] = [];
    const following = async (): Promise<void> => {
      for await (const chunk of await app.google.models.generateContentStream(asked)) chunks.push(chunk.text);
    };
    await expect(following()).rejects.toMatchObject({ name: 'ApiError', status: 503 });
    expect(chunks).toEqual(['Hel']);
  });

  it('answers a failure before the first token with a status', async () => {
    app.completions.play([{ kind: 'fail', error: overloaded }]);
    await expect(app.google.models.generateContentStream(asked)).rejects.toMatchObject({ status: 503 });
  });

  it('keeps an idle connection with what no client takes for a part', async () => {
    const slow = await startProtocolApp({ heartbeatMs: 1 });
    try {
      let go = (): void => undefined;
      const until = new Promise<void>((resolve) => {
        go = resolve;
      });
      slow.completions.play([text('Hel'), { kind: 'wait', until }, text('lo.')]);
      const answered = await slow.open(streamed, body);
      let raw = '';
      for await (const piece of answered) {
        raw += String(piece);
        if (raw.includes('Hel') && raw.endsWith('\n\n\n\n')) go();
      }
      const events = raw.split('\n\n').filter((event) => event !== '');
      expect(events.every((event) => event.startsWith('data: {'))).toBe(true);
      expect(events).toHaveLength(3);
    } finally {
      await slow.stop();
    }
  });
});

describe('conversations of the SDK', () => {
  it('go on from streamed answers, which it stores in pieces', async () => {
    const chat = app.google.chats.create({ model: 'm' });
    await chunksOf(await chat.sendMessageStream({ message: 'Hi' }));
    await chat.sendMessage({ message: 'And now?' });
    expect(last().messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('call functions over several turns', async () => {
    app.completions.play(
      inSequence(
        [...call(0, 'weather', '{"city":"Oslo"}'), ...call(1, 'weather', '{"city":"Rome"}')],
        call(0, 'weather', '{"city":"Bergen"}'),
        [text('Rain.')],
      ),
    );
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'Where does it rain?' }] }];
    let answered = await app.google.models.generateContent({ model: 'm', contents, config: { tools } });
    for (let calls = answered.functionCalls; calls !== undefined; calls = answered.functionCalls) {
      contents.push(answered.candidates?.[0]?.content ?? {});
      contents.push({
        role: 'user',
        parts: calls.map(({ id, name = '' }) => functionResponse(name, 'Rain.', { id })),
      });
      answered = await app.google.models.generateContent({ model: 'm', contents, config: { tools } });
    }
    expect(answered.text).toBe('Rain.');
    expect(last().messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant', 'tool']);
  });
});

describe('addresses and keys', () => {
  it.each(['/v1beta', '/v1', ''])('are accepted under %s/models', async (prefix) => {
    const { status } = await app.post(`${prefix}/models/a/b:generateContent`, JSON.stringify(body));
    expect([status, last().model]).toEqual([200, 'a/b']);
  });

  it.each(['generateContent', 'streamGenerateContent', 'countTokens'])('allow only POST for :%s', async (method) => {
    const { status, headers } = await fetch(`${app.url}/v1beta/models/m:${method}`);
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('are refused for a key that is not known', async () => {
    const stranger = new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: app.url, fetch } });
    await expect(stranger.models.generateContent(asked)).rejects.toMatchObject({ name: 'ApiError', status: 401 });
  });
});

describe('POST /models/{model}:countTokens', () => {
  it('answers the SDK with the number of prompt tokens, and generates nothing', async () => {
    const before = app.completions.completions.length;
    expect(await app.google.models.countTokens(asked)).toMatchObject({ totalTokens: 100 });
    expect(app.completions.completions).toHaveLength(before);
  });

  it('counts the prompt of a whole call', async () => {
    const generateContentRequest = {
      ...body,
      model: 'models/m',
      systemInstruction: { parts: [{ text: 'Hi' }] },
      tools,
    };
    const { text: raw } = await app.post('/v1beta/models/m:countTokens', JSON.stringify({ generateContentRequest }));
    expect(JSON.parse(raw)).toEqual({ totalTokens: 201 });
  });

  it('refuses the same requests as for an answer', async () => {
    const { status, text: raw } = await app.post('/v1beta/models/m:countTokens', '{"contents":[]}');
    expect([status, JSON.parse(raw)]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }]);
  });
});

const overloaded = new AppError('unavailable', 'No engine is there.', { reason: 'engine_missing' });
