import type { Protocol } from '../../completions/completion';
import { chatCompletions } from '../chat-completions';
import { generateContent, streamGenerateContent } from '../generate-content';
import { messages } from '../messages';
import type { ModelProtocol, ReadCall } from '../model-protocol';
import { responses } from '../responses';

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
  /** Whether the client asks for reasoning, where a protocol lets it choose. */
  readonly wantsThoughts: boolean;
  /** Whether it sends reasoning back. */
  readonly keepsThoughts: boolean;
  readonly tools: readonly { readonly name: string; readonly parameters: object }[];
}

/** Keeps a conversation as the official SDK of a protocol does, and sends back what it was given. */
export interface SdkClient {
  protocol(isStreaming: boolean): ModelProtocol<ReadCall>;
  say(text: string): void;
  give(results: readonly ToolResult[]): void;
  body(options: { readonly isStreaming: boolean; readonly maxTokens: number }): object;
  /** Takes a JSON body or the text of a stream, and adds the answer to the conversation. */
  take(answer: string, isStreaming: boolean): SeenAnswer;
}

export const sdkClients = {
  'chat-completions': createChatClient,
  responses: createResponsesClient,
  messages: createMessagesClient,
  'generate-content': createGenerateContentClient,
} as const satisfies Partial<Record<Protocol, (options: ClientOptions) => SdkClient>>;

/** The data of server-sent events. */
const eventsOf = (stream: string): readonly unknown[] =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown);

interface ChatCall {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; arguments: string };
}
interface ChatAnswer {
  content: string | null;
  reasoning_content?: string;
  tool_calls?: ChatCall[];
}
interface ChatDelta {
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly (ChatCall & { readonly index: number })[];
}

interface ChatChunk {
  readonly choices: readonly { readonly delta: ChatDelta }[];
}

function createChatClient({ tools, keepsThoughts }: ClientOptions): SdkClient {
  const conversation: object[] = [];
  return {
    protocol: () => chatCompletions,
    say: (content) => void conversation.push({ role: 'user', content }),
    give: (results) =>
      void conversation.push(...results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }))),
    body: ({ isStreaming, maxTokens }) => ({
      model: 'm',
      messages: conversation,
      max_tokens: maxTokens,
      stream: isStreaming,
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    }),
    take: (answer, isStreaming) => {
      const { message, reasoning } = isStreaming ? foldChat(answer) : readChat(answer);
      const { reasoning_content, ...rest } = message;
      const isSent = keepsThoughts && reasoning_content !== undefined;
      conversation.push({ role: 'assistant', ...rest, ...(isSent ? { reasoning_content } : {}) });
      const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
        id,
        name,
        arguments: JSON.parse(json === '' ? '{}' : json) as unknown,
      }));
      return { reasoning, text: message.content ?? '', calls };
    },
  };
}

function readChat(answer: string): { readonly message: ChatAnswer; readonly reasoning: string } {
  const { choices } = JSON.parse(answer) as { readonly choices: readonly [{ readonly message: ChatAnswer }] };
  return { message: choices[0].message, reasoning: choices[0].message.reasoning_content ?? '' };
}

function foldChat(stream: string): ReturnType<typeof readChat> {
  const message: ChatAnswer = { content: null };
  let reasoning = '';
  for (const { choices } of eventsOf(stream) as readonly ChatChunk[]) {
    const { content, reasoning_content, tool_calls = [] } = choices[0]?.delta ?? {};
    if (content !== undefined) message.content = (message.content ?? '') + content;
    if (reasoning_content !== undefined) {
      reasoning += reasoning_content;
      // OpenAI's SDK does not know the field: each piece replaces the one before.
      message.reasoning_content = reasoning_content;
    }
    for (const { index, ...call } of tool_calls) {
      message.tool_calls ??= [];
      const begun = message.tool_calls[index];
      if (begun === undefined) message.tool_calls[index] = call;
      else begun.function.arguments += call.function.arguments;
    }
  }
  return { message, reasoning };
}

interface ResponseItem {
  readonly type: string;
  readonly content?: readonly { readonly text: string }[];
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
}

function createResponsesClient({ tools, keepsThoughts }: ClientOptions): SdkClient {
  const input: object[] = [];
  return {
    protocol: () => responses,
    say: (content) => void input.push({ role: 'user', content }),
    give: (results) =>
      void input.push(...results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text }))),
    body: ({ isStreaming, maxTokens }) => ({
      model: 'm',
      input,
      max_output_tokens: maxTokens,
      stream: isStreaming,
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', strict: false, ...tool })) }),
    }),
    take: (answer, isStreaming) => {
      const { output } = isStreaming ? lastResponse(answer) : (JSON.parse(answer) as Response);
      const kept = output.filter(({ type }) => keepsThoughts || type !== 'reasoning');
      // Of an answer that is only a thought, nothing would be left to know it by.
      input.push(...(kept.length === 0 ? output : kept));
      const textOf = (kind: string) =>
        output
          .filter(({ type }) => type === kind)
          .flatMap(({ content = [] }) => content.map(({ text }) => text))
          .join('');
      const calls = output
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id: id = '', name = '', arguments: json = '' }) => ({
          id,
          name,
          arguments: JSON.parse(json === '' ? '{}' : json) as unknown,
        }));
      return { reasoning: textOf('reasoning'), text: textOf('message'), calls };
    },
  };
}

interface Response {
  readonly output: readonly ResponseItem[];
}

function lastResponse(stream: string): Response {
  const last = (eventsOf(stream) as readonly { readonly response?: Response }[]).at(-1)?.response;
  if (last === undefined) throw new Error('The stream does not end with a response.');
  return last;
}

interface Block {
  readonly type: string;
  text?: string;
  thinking?: string;
  signature?: string;
  readonly id?: string;
  readonly name?: string;
  input?: unknown;
}
interface BlockEvent {
  readonly type: string;
  readonly index: number;
  readonly content_block?: Block;
  readonly delta?: {
    readonly text?: string;
    readonly thinking?: string;
    readonly signature?: string;
    readonly partial_json?: string;
  };
}

function createMessagesClient({ tools, keepsThoughts }: ClientOptions): SdkClient {
  const conversation: { readonly role: string; readonly content: object[] }[] = [];
  const add = (block: object): void => {
    const last = conversation.at(-1);
    // Roles alternate in this protocol.
    if (last?.role === 'user') last.content.push(block);
    else conversation.push({ role: 'user', content: [block] });
  };
  return {
    protocol: () => messages,
    say: (text) => add({ type: 'text', text }),
    give: (results) => {
      for (const { id, text } of results) add({ type: 'tool_result', tool_use_id: id, content: text });
    },
    body: ({ isStreaming, maxTokens }) => ({
      model: 'm',
      messages: conversation,
      max_tokens: maxTokens,
      stream: isStreaming,
      ...(tools.length === 0
        ? {}
        : { tools: tools.map(({ name, parameters }) => ({ name, input_schema: parameters })) }),
    }),
    take: (answer, isStreaming) => {
      const content = isStreaming
        ? foldBlocks(answer)
        : (JSON.parse(answer) as { readonly content: readonly Block[] }).content;
      const kept = content.filter(({ type }) => keepsThoughts || type !== 'thinking');
      conversation.push({ role: 'assistant', content: [...kept] });
      return {
        reasoning: content.map(({ thinking = '' }) => thinking).join(''),
        text: content.map(({ text = '' }) => text).join(''),
        calls: content
          .filter(({ type }) => type === 'tool_use')
          .map(({ id = '', name = '', input }) => ({ id, name, arguments: input })),
      };
    },
  };
}

function foldBlocks(stream: string): readonly Block[] {
  const content: Block[] = [];
  let json = '';
  for (const { type, index, content_block: begun, delta = {} } of eventsOf(stream) as readonly BlockEvent[]) {
    if (type === 'content_block_start' && begun !== undefined) {
      content[index] = { ...begun };
      json = '';
    }
    const block = content[index];
    if (block === undefined) continue;
    if (type === 'content_block_stop' && block.type === 'tool_use')
      block.input = JSON.parse(json === '' ? '{}' : json) as unknown;
    if (type !== 'content_block_delta') continue;
    json += delta.partial_json ?? '';
    if (delta.text !== undefined) block.text = (block.text ?? '') + delta.text;
    if (delta.thinking !== undefined) block.thinking = (block.thinking ?? '') + delta.thinking;
    if (delta.signature !== undefined) block.signature = delta.signature;
  }
  return content;
}

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: unknown };
}
interface Content {
  readonly role: string;
  readonly parts: readonly Part[];
}

interface Chunk {
  readonly candidates: readonly [{ readonly content: Content }];
}

function createGenerateContentClient({ tools, wantsThoughts, keepsThoughts }: ClientOptions): SdkClient {
  const contents: { readonly role: string; readonly parts: object[] }[] = [];
  const add = (part: object): void => {
    const last = contents.at(-1);
    if (last?.role === 'user') last.parts.push(part);
    else contents.push({ role: 'user', parts: [part] });
  };
  return {
    protocol: (isStreaming) => (isStreaming ? streamGenerateContent : generateContent),
    say: (text) => add({ text }),
    give: (results) => {
      for (const { id, name, text } of results) add({ functionResponse: { id, name, response: { output: text } } });
    },
    body: ({ maxTokens }) => ({
      contents,
      generationConfig: { maxOutputTokens: maxTokens, thinkingConfig: { includeThoughts: wantsThoughts } },
      ...(tools.length === 0
        ? {}
        : {
            tools: [
              {
                functionDeclarations: tools.map(({ name, parameters }) => ({ name, parametersJsonSchema: parameters })),
              },
            ],
          }),
    }),
    take: (answer, isStreaming) => {
      const chunks = (isStreaming ? eventsOf(answer) : [JSON.parse(answer)]) as readonly Chunk[];
      // The chunks of a stream stay contents of their own.
      const given = chunks.map(({ candidates }) => candidates[0].content);
      for (const { role, parts } of given) {
        const kept = parts.filter(({ thought }) => keepsThoughts || thought !== true);
        contents.push({ role, parts: kept.length === 0 ? [{ text: '' }] : kept });
      }
      const parts = given.flatMap((content) => content.parts);
      const textOf = (wanted: boolean) =>
        parts.map(({ text = '', thought = false }) => (thought === wanted ? text : '')).join('');
      const calls = parts.flatMap(({ functionCall }) =>
        functionCall === undefined
          ? []
          : [{ id: functionCall.id, name: functionCall.name, arguments: functionCall.args }],
      );
      return { reasoning: textOf(true), text: textOf(false), calls };
    },
  };
}
