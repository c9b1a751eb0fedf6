import type Anthropic from '@anthropic-ai/sdk';
import { FunctionCallingConfigMode, type Content, type GenerateContentResponse, type GoogleGenAI } from '@google/genai';
import type OpenAI from 'openai';

/** The result of one question of an agent. */
export interface AgentStep {
  readonly id: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly text: string;
  /** Sampled tokens, as the protocol counts them. */
  readonly sampledTokens: number;
  readonly promptTokens: number;
  /** Parts of the answer that came one by one. */
  readonly events: number;
}

/** A program with an official SDK, that plays its tools and keeps its conversation itself. */
export interface Agent {
  /** Streams one answer. `tool` must be called; without it no tool is called. */
  step(tool?: ToolName): Promise<AgentStep>;
  /** Adds to the conversation. */
  say(text: string): void;
}

const city = { type: 'object', properties: { city: { type: 'string', maxLength: 8 } } } as const;
const pair = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } } as const;

/** The behaviour of each tool by name, with the form of its arguments and its answer. */
const tools = {
  get_weather: {
    description: 'The weather of a city',
    schema: { ...city, required: ['city'], additionalProperties: false },
    result: 'It is sunny.',
  },
  add: {
    description: 'Adds two numbers',
    schema: { ...pair, required: ['a', 'b'], additionalProperties: false },
    result: '5',
  },
};
export type ToolName = keyof typeof tools;
const toolList = Object.entries(tools).map(([name, tool]) => ({ name, ...tool }));
const toToolResult = (name: string): string => toolList.find((tool) => tool.name === name)?.result ?? '';

const maxTokens = 400;
/** The model babbles: with seeds it babbles the same in every run. */
const toSeed = (messages: readonly unknown[]): number => messages.length;
/** One tool is asked for alone, the other as often as the model likes. */
const isAlone = (tool: ToolName): boolean => tool === 'add';

export interface AgentOptions {
  readonly system: string;
  readonly question: string;
  readonly hasTools: boolean;
}

/** Speaks chat completions. */
export function createChatAgent(client: OpenAI, { system, question, hasTools }: AgentOptions): Agent {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ];
  const offered = toolList.map(({ name, description, schema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: schema },
  }));
  return {
    say: (text) => void messages.push({ role: 'user', content: text }),
    step: async (tool) => {
      let events = 0;
      const stream = client.chat.completions.stream({
        model: 'any',
        messages,
        max_tokens: maxTokens,
        stream_options: { include_usage: true },
        ...(hasTools
          ? {
              tools: offered,
              tool_choice: tool === undefined ? 'none' : { type: 'function', function: { name: tool } },
            }
          : {}),
        ...(tool === undefined ? {} : { parallel_tool_calls: !isAlone(tool) }),
        seed: toSeed(messages),
      });
      stream.on('chunk', () => (events += 1));
      const answer = await stream.finalChatCompletion();
      const message = answer.choices[0]?.message;
      if (message === undefined) throw new Error('The answer has no message.');
      messages.push(message);
      const calls = (message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []));
      for (const { id, function: called } of calls) {
        messages.push({ role: 'tool', tool_call_id: id, content: toToolResult(called.name) });
      }
      return {
        id: answer.id,
        calls: calls.map(({ function: called }) => ({
          name: called.name,
          arguments: JSON.parse(called.arguments) as unknown,
        })),
        text: message.content ?? '',
        sampledTokens: answer.usage?.completion_tokens ?? 0,
        promptTokens: answer.usage?.prompt_tokens ?? 0,
        events,
      };
    },
  };
}

/** Speaks messages. */
export function createMessagesAgent(client: Anthropic, { system, question, hasTools }: AgentOptions): Agent {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
  const offered = toolList.map(({ name, description, schema }) => ({
    name,
    description,
    input_schema: { ...schema, required: [...schema.required] },
  }));
  return {
    say: (text) => void messages.push({ role: 'user', content: text }),
    step: async (tool) => {
      let events = 0;
      const stream = client.messages.stream({
        model: 'any',
        system,
        messages,
        max_tokens: maxTokens,
        ...(hasTools
          ? {
              tools: offered,
              tool_choice:
                tool === undefined
                  ? { type: 'none' }
                  : { type: 'tool', name: tool, disable_parallel_tool_use: isAlone(tool) },
            }
          : {}),
        // The parameter is neither in this protocol nor in the SDK's types, but it is accepted.
        seed: toSeed(messages),
      });
      stream.on('streamEvent', () => (events += 1));
      const answer = await stream.finalMessage();
      messages.push({ role: 'assistant', content: answer.content });
      const calls = answer.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
      if (calls.length > 0) {
        const content = calls.map(({ id, name }) => ({
          type: 'tool_result' as const,
          tool_use_id: id,
          content: toToolResult(name),
        }));
        messages.push({ role: 'user', content });
      }
      return {
        id: answer.id,
        calls: calls.map(({ name, input }) => ({ name, arguments: input })),
        text: answer.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        sampledTokens: answer.usage.output_tokens,
        promptTokens: answer.usage.input_tokens + (answer.usage.cache_read_input_tokens ?? 0),
        events,
      };
    },
  };
}

/** Speaks responses, and sends its whole conversation each time. */
export function createResponsesAgent(client: OpenAI, { system, question, hasTools }: AgentOptions): Agent {
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: question }];
  const offered = toolList.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: schema,
    strict: null,
  }));
  return {
    say: (text) => void input.push({ role: 'user', content: text }),
    step: async (tool) => {
      let events = 0;
      const stream = client.responses.stream({
        model: 'any',
        instructions: system,
        input,
        max_output_tokens: maxTokens,
        ...(hasTools
          ? { tools: offered, tool_choice: tool === undefined ? 'none' : { type: 'function', name: tool } }
          : {}),
        ...(tool === undefined ? {} : { parallel_tool_calls: !isAlone(tool) }),
        seed: toSeed(input),
      });
      stream.on('event', () => (events += 1));
      const answer = await stream.finalResponse();
      const calls = answer.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
      input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
      for (const { call_id, name } of calls) {
        input.push({ type: 'function_call_output', call_id, output: toToolResult(name) });
      }
      return {
        id: answer.id,
        calls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as unknown })),
        text: answer.output_text,
        sampledTokens: answer.usage?.output_tokens ?? 0,
        promptTokens: answer.usage?.input_tokens ?? 0,
        events,
      };
    },
  };
}

/** Speaks generateContent, and stores its answers in the pieces in which they came. */
export function createGenerateContentAgent(client: GoogleGenAI, { system, question, hasTools }: AgentOptions): Agent {
  const contents: Content[] = [{ role: 'user', parts: [{ text: question }] }];
  const functionDeclarations = toolList.map(({ name, description, schema }) => ({
    name,
    description,
    parametersJsonSchema: schema,
  }));
  return {
    say: (text) => void contents.push({ role: 'user', parts: [{ text }] }),
    step: async (tool) => {
      const functionCallingConfig =
        tool === undefined
          ? { mode: FunctionCallingConfigMode.NONE }
          : { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: [tool] };
      const stream = await client.models.generateContentStream({
        model: 'any',
        contents,
        config: {
          systemInstruction: system,
          maxOutputTokens: maxTokens,
          ...(hasTools ? { tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig } } : {}),
          seed: toSeed(contents),
        },
      });
      const chunks: GenerateContentResponse[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const last = chunks.at(-1);
      const answers = chunks.flatMap(({ candidates }) => candidates?.[0]?.content ?? []);
      const parts = answers.flatMap((content) => content.parts ?? []);
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      contents.push(...answers);
      if (calls.length > 0) {
        contents.push({
          role: 'user',
          parts: calls.map(({ name = '' }) => ({
            functionResponse: { name, response: { output: toToolResult(name) } },
          })),
        });
      }
      const { candidatesTokenCount = 0, thoughtsTokenCount = 0, promptTokenCount = 0 } = last?.usageMetadata ?? {};
      return {
        id: last?.responseId ?? '',
        calls: calls.map(({ name = '', args }) => ({ name, arguments: args })),
        text: parts.map(({ text = '' }) => text).join(''),
        sampledTokens: candidatesTokenCount + thoughtsTokenCount,
        promptTokens: promptTokenCount,
        events: chunks.length,
      };
    },
  };
}
