import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI, type Content, type FunctionResponse, type GenerateContentResponse } from '@google/genai';
import OpenAI from 'openai';
import type { Protocol } from '../../completions/completion';

export interface SeenAnswer {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
}

export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

export interface ClientOptions {
  /** Gets the requests of the SDK, in place of a network. */
  readonly fetch: typeof globalThis.fetch;
  /** Whether the client asks for reasoning, where a protocol lets it choose. */
  readonly wantsThoughts: boolean;
  /** Whether it sends reasoning back. */
  readonly keepsThoughts: boolean;
  readonly tools: readonly { readonly name: string; readonly parameters: object }[];
}

/** A conversation through the official SDK of a protocol. What the SDK gives is sent back as it is. */
export interface SdkClient {
  say(text: string): void;
  give(results: readonly ToolResult[]): void;
  /** Asks for an answer and adds it to the conversation. */
  ask(options: { readonly isStreaming: boolean; readonly maxTokens: number }): Promise<SeenAnswer>;
}

export const sdkClients = {
  'chat-completions': createChatClient,
  responses: createResponsesClient,
  messages: createMessagesClient,
  'generate-content': createGenerateContentClient,
} as const satisfies Partial<Record<Protocol, (options: ClientOptions) => SdkClient>>;

const connection = { apiKey: 'key', maxRetries: 0 } as const;
const baseURL = 'http://proxy.invalid/v1';
const model = 'm';

const parseArguments = (json: string): unknown => JSON.parse(json === '' ? '{}' : json);

/** The SDK of OpenAI does not know this field, and keeps it nevertheless. */
interface WithReasoning {
  readonly reasoning_content?: string;
}

function createChatClient({ fetch, tools: given, keepsThoughts }: ClientOptions): SdkClient {
  const { chat } = new OpenAI({ ...connection, baseURL, fetch });
  const messages: OpenAI.ChatCompletionMessageParam[] = [];
  const tools = given.map((tool) => ({ type: 'function' as const, function: tool as OpenAI.FunctionDefinition }));
  return {
    say: (content) => void messages.push({ role: 'user', content }),
    give: (results) =>
      void messages.push(
        ...results.map(({ id, text }) => ({ role: 'tool' as const, tool_call_id: id, content: text })),
      ),
    ask: async ({ isStreaming, maxTokens }) => {
      const body = { model, messages, max_tokens: maxTokens, ...(tools.length === 0 ? {} : { tools }) };
      let streamed = '';
      const { choices } = isStreaming
        ? await chat.completions
            .stream(body)
            .on('chunk', (chunk) => {
              // Pieces of an unknown field replace each other in the final message.
              streamed += (chunk.choices[0]?.delta as WithReasoning | undefined)?.reasoning_content ?? '';
            })
            .finalChatCompletion()
        : await chat.completions.create(body);
      const message = choices[0]?.message as OpenAI.ChatCompletionMessage & WithReasoning;
      const { reasoning_content: whole = '', ...rest } = message;
      messages.push(keepsThoughts ? message : rest);
      const calls = (message.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [{ id: call.id, name: call.function.name, arguments: parseArguments(call.function.arguments) }]
          : [],
      );
      return { reasoning: isStreaming ? streamed : whole, text: message.content ?? '', calls };
    },
  };
}

function createResponsesClient({ fetch, tools: given, keepsThoughts }: ClientOptions): SdkClient {
  const { responses } = new OpenAI({ ...connection, baseURL, fetch });
  const input: OpenAI.Responses.ResponseInputItem[] = [];
  const tools = given.map(({ name, parameters }) => ({
    type: 'function' as const,
    strict: false,
    name,
    parameters: { ...parameters },
  }));
  return {
    say: (content) => void input.push({ role: 'user', content }),
    give: (results) =>
      void input.push(
        ...results.map(({ id, text }) => ({ type: 'function_call_output' as const, call_id: id, output: text })),
      ),
    ask: async ({ isStreaming, maxTokens }) => {
      const body = { model, input, max_output_tokens: maxTokens, ...(tools.length === 0 ? {} : { tools }) };
      const { output } = isStreaming ? await responses.stream(body).finalResponse() : await responses.create(body);
      const kept = output.filter(({ type }) => keepsThoughts || type !== 'reasoning');
      // Of an answer that is only a thought, nothing would be left to know it by.
      input.push(...((kept.length === 0 ? output : kept) as OpenAI.Responses.ResponseInputItem[]));
      const [reasoning, text] = [[] as string[], [] as string[]];
      for (const item of output) {
        if (item.type === 'reasoning') reasoning.push(...(item.content ?? []).map((part) => part.text));
        if (item.type === 'message')
          text.push(...item.content.map((part) => (part.type === 'output_text' ? part.text : '')));
      }
      const calls = output.flatMap((item) =>
        item.type === 'function_call'
          ? [{ id: item.call_id, name: item.name, arguments: parseArguments(item.arguments) }]
          : [],
      );
      return { reasoning: reasoning.join(''), text: text.join(''), calls };
    },
  };
}

function createMessagesClient({ fetch, tools: given, keepsThoughts }: ClientOptions): SdkClient {
  const client = new Anthropic({ ...connection, baseURL: new URL('/', baseURL).href, fetch });
  const messages: Anthropic.MessageParam[] = [];
  const tools = given.map(({ name, parameters }) => ({
    name,
    input_schema: parameters as Anthropic.Tool.InputSchema,
  }));
  let said: Anthropic.ContentBlockParam[] = [];
  return {
    say: (text) => void said.push({ type: 'text', text }),
    give: (results) => {
      for (const { id, text } of results) said.push({ type: 'tool_result', tool_use_id: id, content: text });
    },
    ask: async ({ isStreaming, maxTokens }) => {
      // Roles alternate in this protocol.
      messages.push({ role: 'user', content: said });
      said = [];
      const body = { model, messages, max_tokens: maxTokens, ...(tools.length === 0 ? {} : { tools }) };
      const { content } = isStreaming
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body);
      messages.push({
        role: 'assistant',
        content: content.filter(({ type }) => keepsThoughts || type !== 'thinking') as Anthropic.ContentBlockParam[],
      });
      return {
        reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
        text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        calls: content.flatMap((block) =>
          block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
        ),
      };
    },
  };
}

function createGenerateContentClient({ fetch, tools, wantsThoughts, keepsThoughts }: ClientOptions): SdkClient {
  const { models } = new GoogleGenAI({
    apiKey: connection.apiKey,
    httpOptions: { baseUrl: new URL('/', baseURL).href, fetch },
  });
  const contents: Content[] = [];
  let said: { text?: string; functionResponse?: FunctionResponse }[] = [];
  const functionDeclarations = tools.map(({ name, parameters }) => ({ name, parametersJsonSchema: parameters }));
  return {
    say: (text) => void said.push({ text }),
    give: (results) => {
      for (const { id, name, text } of results)
        said.push({ functionResponse: { id, name, response: { output: text } } });
    },
    ask: async ({ isStreaming, maxTokens }) => {
      contents.push({ role: 'user', parts: said });
      said = [];
      const config = {
        maxOutputTokens: maxTokens,
        thinkingConfig: { includeThoughts: wantsThoughts },
        ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations }] }),
      };
      const chunks: GenerateContentResponse[] = [];
      if (isStreaming) {
        for await (const chunk of await models.generateContentStream({ model, contents, config })) chunks.push(chunk);
      } else chunks.push(await models.generateContent({ model, contents, config }));
      // The chunks of a stream stay contents of their own.
      const given = chunks.map(({ candidates }) => candidates?.[0]?.content ?? {});
      for (const { role = 'model', parts = [] } of given) {
        const kept = parts.filter(({ thought }) => keepsThoughts || thought !== true);
        contents.push({ role, parts: kept.length === 0 ? [{ text: '' }] : kept });
      }
      const parts = given.flatMap((content) => content.parts ?? []);
      const textOf = (wanted: boolean) =>
        parts.map(({ text = '', thought = false }) => (thought === wanted ? text : '')).join('');
      const calls = parts.flatMap(({ functionCall }) =>
        functionCall === undefined
          ? []
          : [{ id: functionCall.id ?? '', name: functionCall.name ?? '', arguments: functionCall.args }],
      );
      return { reasoning: textOf(true), text: textOf(false), calls };
    },
  };
}
