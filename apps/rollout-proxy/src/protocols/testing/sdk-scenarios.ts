import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { Type } from '@google/genai';
import type { ProtocolApp } from './protocol-app';
import { call, inSequence, reasoning, text } from './scripted-completions';

/** The typical use of an SDK by agents. Its requests are recorded. */
export type SdkScenario = (app: ProtocolApp) => Promise<unknown>;

const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { name: 'weather', description: 'Tells the weather.', parameters };
const schema = {
  type: 'object',
  properties: { sky: { type: 'string' } },
  required: ['sky'],
  additionalProperties: false,
};
const question = 'What is the weather in Oslo?';
const callsAndText = [
  [
    reasoning('Look it up.'),
    text('One moment.'),
    ...call(0, 'weather', '{"city":"Oslo"}'),
    ...call(1, 'weather', '{"city":"Bergen"}'),
  ],
  [text('Rain in both.')],
] as const;

const chat = { model: 'm', messages: [{ role: 'user' as const, content: question }] };
const messages = { ...chat, max_tokens: 64 };

// The types of the newest SDK no longer have these fields.
const sampling = { temperature: 0.7 };

const openai: Readonly<Record<string, SdkScenario>> = {
  'openai-chat-create': (app) => app.openai.chat.completions.create(chat),
  'openai-chat-stream': (app) =>
    app.openai.chat.completions
      .stream({ ...chat, stream_options: { include_usage: true }, temperature: 0.7, logprobs: true })
      .finalChatCompletion(),
  'openai-chat-run-tools': (app) => {
    app.completions.play(inSequence(...callsAndText));
    return app.openai.chat.completions
      .runTools({
        ...chat,
        tools: [
          {
            type: 'function',
            function: { ...weather, parse: JSON.parse as (input: string) => object, function: () => 'Rain.' },
          },
        ],
      })
      .finalContent();
  },
  'openai-chat-parse': (app) => {
    app.completions.play([text('{"sky":"grey"}')]);
    return app.openai.chat.completions.parse({
      ...chat,
      response_format: { type: 'json_schema', json_schema: { name: 'sky', schema, strict: true } },
    });
  },
  'openai-responses-stream': (app) =>
    app.openai.responses.stream({ model: 'm', instructions: 'Be brief.', input: question }).finalResponse(),
  'openai-responses-tools': async (app) => {
    app.completions.play(inSequence(...callsAndText));
    const tools = [{ type: 'function' as const, strict: true, ...weather }];
    const first = await app.openai.responses.create({ model: 'm', input: question, tools });
    const results = first.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'Rain.' }]
        : [],
    );
    await app.openai.responses.create({
      model: 'm',
      // The items as they were answered, which the types of input and output tell apart.
      input: [{ role: 'user', content: question }, ...first.output, ...results] as never,
      tools,
    });
    app.completions.play([text('Rain in both.')]);
    await app.openai.responses.create({ model: 'm', previous_response_id: first.id, input: results, tools });
  },
  'openai-responses-parse': (app) => {
    app.completions.play([text('{"sky":"grey"}')]);
    return app.openai.responses.parse({
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_text', text: question }] }],
      text: { format: { type: 'json_schema', name: 'sky', schema, strict: true } },
    });
  },
};

const anthropic: Readonly<Record<string, SdkScenario>> = {
  'anthropic-create': (app) => app.anthropic.messages.create({ ...messages, ...sampling, system: 'Be brief.' }),
  'anthropic-stream-tools': async (app) => {
    app.completions.play(inSequence(...callsAndText));
    const cached = { type: 'ephemeral' as const };
    const tools = [
      { name: weather.name, description: weather.description, input_schema: parameters, cache_control: cached },
    ];
    const system = [{ type: 'text' as const, text: 'Be brief.', cache_control: cached }];
    const { content } = await app.anthropic.messages.stream({ ...messages, system, tools }).finalMessage();
    const results = content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'Rain.' }] : [],
    );
    await app.anthropic.messages
      .stream({
        ...messages,
        system,
        tools,
        messages: [...messages.messages, { role: 'assistant', content }, { role: 'user', content: results }],
      })
      .finalMessage();
  },
  'anthropic-tool-runner': async (app) => {
    app.completions.play(inSequence(...callsAndText));
    const tool = betaTool({
      name: weather.name,
      description: weather.description,
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const,
      run: () => 'Rain.',
    });
    await app.anthropic.beta.messages.toolRunner({ ...messages, tools: [tool] });
  },
  'anthropic-count-tokens': (app) => app.anthropic.messages.countTokens(chat),
};

const declaration = {
  name: weather.name,
  description: weather.description,
  parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
};

const google: Readonly<Record<string, SdkScenario>> = {
  'google-generate': (app) =>
    app.google.models.generateContent({
      model: 'm',
      contents: question,
      config: { ...sampling, maxOutputTokens: 64, systemInstruction: 'Be brief.' },
    }),
  'google-chat-stream-tools': async (app) => {
    app.completions.play(inSequence(...callsAndText));
    const chat = app.google.chats.create({ model: 'm', config: { tools: [{ functionDeclarations: [declaration] }] } });
    const calls = [];
    for await (const chunk of await chat.sendMessageStream({ message: question }))
      calls.push(...(chunk.functionCalls ?? []));
    const message = calls.map(({ id, name = '' }) => ({
      functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output: 'Rain.' } },
    }));
    for await (const _chunk of await chat.sendMessageStream({ message })) continue;
  },
  'google-structured': (app) => {
    app.completions.play([text('{"sky":"grey"}')]);
    return app.google.models.generateContent({
      model: 'm',
      contents: question,
      config: { responseMimeType: 'application/json', responseJsonSchema: schema },
    });
  },
  'google-count-tokens': (app) => app.google.models.countTokens({ model: 'm', contents: question }),
};

export const sdkScenarios: Readonly<Record<string, SdkScenario>> = { ...openai, ...anthropic, ...google };
