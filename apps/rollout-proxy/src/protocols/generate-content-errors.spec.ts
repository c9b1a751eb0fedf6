import { ApiError, ThinkingLevel, Type } from '@google/genai';
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
  weather,
} from './testing/google-requests';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();

describe('errors of generateContent', () => {
  it.each([
    ['invalid_request', 400, 'INVALID_ARGUMENT'],
    ['unauthenticated', 401, 'UNAUTHENTICATED'],
    ['forbidden', 403, 'PERMISSION_DENIED'],
    ['not_found', 404, 'NOT_FOUND'],
    ['conflict', 409, 'ABORTED'],
    ['rate_limited', 429, 'RESOURCE_EXHAUSTED'],
    ['internal', 500, 'INTERNAL'],
    ['unavailable', 503, 'UNAVAILABLE'],
    ['upstream_timeout', 504, 'DEADLINE_EXCEEDED'],
  ] as const)('have, for %s, the status %d of the SDK', async (code, status, name) => {
    app.completions.play([{ kind: 'refuse', error: new AppError(code, 'A sentence.', { reason: 'why' }) }]);
    const error: unknown = await app.google.models.generateContent(asked).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).status).toBe(status);
    expect(JSON.parse((error as ApiError).message)).toEqual({
      error: {
        code: status,
        message: 'A sentence.',
        status: name,
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'why', domain: 'weir', metadata: {} },
          {
            '@type': 'type.googleapis.com/google.rpc.RequestInfo',
            requestId: expect.stringMatching(/^[\w-]+$/) as string,
          },
        ],
      },
    });
  });

  const config = (generationConfig: object) => ({ generationConfig });
  it.each([
    ['no contents', { contents: [] }, 'contents'],
    ['a content without parts', { contents: [user()] }, 'contents[0].parts'],
    ['an unknown role', { contents: [{ role: 'robot', parts: [{ text: 'x' }] }] }, 'contents[0].role'],
    ['an image', { contents: [user({ inlineData: {} })] }, 'contents[0].parts[0].inlineData'],
    ['an answer that was begun', { contents: [...body.contents, answer({ text: 'He' })] }, 'contents[1]'],
    ['a call of the user', { contents: [user(functionCall('f'))] }, 'contents[0].parts[0].functionCall'],
    ['a result of no call', { contents: [user(functionResponse('f', 'x'))] }, 'contents[0].parts[0].functionResponse'],
    ['a tool of the service', { tools: [{ googleSearch: {} }] }, 'tools.googleSearch'],
    ['a cache of the service', { cachedContent: 'cachedContents/x' }, 'cachedContent'],
    ['another model than in the address', { model: 'models/x' }, 'model'],
    ['several answers', config({ candidateCount: 2 }), 'generationConfig.candidateCount'],
    ['speech', config({ speechConfig: {} }), 'generationConfig.speechConfig'],
    ['a schema without JSON', config({ responseSchema: {} }), 'generationConfig.responseMimeType'],
    [
      'a schema that is none',
      config({ responseMimeType: 'application/json', responseSchema: { items: 7 } }),
      'generationConfig.responseSchema.items',
    ],
    ['an enum as the answer', config({ responseMimeType: 'text/x.enum' }), 'generationConfig.responseMimeType'],
    ['alternatives without log-probabilities', config({ logprobs: 2 }), 'generationConfig.logprobs'],
    [
      'a validated mode',
      { toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } } },
      'toolConfig.functionCallingConfig.mode',
    ],
    [
      'a call of an unknown function',
      { tools, toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['x'] } } },
      'toolConfig.functionCallingConfig',
    ],
    ['a name that it does not have', { system_prompt: {} }, 'systemPrompt'],
  ])('name the field for %s', async (_case, more, param) => {
    const { status, text: raw } = await app.post(unary, JSON.stringify({ ...body, ...more }));
    expect(status).toBe(400);
    const { error } = JSON.parse(raw) as { error: { status: string; message: string } };
    expect([error.status, error.message.split(': ')[0]]).toEqual(['INVALID_ARGUMENT', param]);
  });

  it('name what an address asks for in vain', async () => {
    for (const address of [
      streamed.replace('alt=sse', ''),
      streamed.replace('sse', 'json'),
      `${unary}?alt=sse`,
      `${unary}?fields=x`,
    ]) {
      const { status, text: raw } = await app.post(address, JSON.stringify(body));
      expect([status, raw]).toEqual([400, expect.stringMatching(/"message":"(alt|fields): /)]);
    }
  });

  it('do not occur for options without a meaning here; they are reported', async () => {
    const given = await app.google.models.generateContent({
      ...asked,
      config: {
        safetySettings: [],
        thinkingConfig: { thinkingLevel: ThinkingLevel.LOW },
        tools: [{ functionDeclarations: [{ ...weather, response: { type: Type.STRING } }] }],
      },
    });
    expect(given.sdkHttpResponse?.headers?.['x-ignored-parameters']).toBe(
      'safetySettings, generationConfig.thinkingConfig.thinkingLevel, tools.functionDeclarations.response',
    );
  });
});
