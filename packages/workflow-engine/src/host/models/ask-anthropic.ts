import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import type { AskOptions, ModelAccess, ModelMessage, ModelReply, ModelRequest } from './conversation';
import { ReplyBuilder } from './reply-builder';

const defaultMaxTokens = 4_096;

/** Asks by messages of Anthropic. Rejects with what the library throws. */
export async function askAnthropic(
  model: ModelAccess,
  request: ModelRequest,
  options: AskOptions,
): Promise<ModelReply> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({
    // The library adds the version to the path.
    baseURL: model.baseUrl.replace(/\/v1\/?$/, ''),
    apiKey: model.apiKey === '' ? 'none' : model.apiKey,
    // What the library would otherwise take from the environment of the server.
    authToken: null,
    webhookKey: null,
    maxRetries: options.retries,
    timeout: options.timeoutMs,
    logLevel: 'off',
  });
  const builder = new ReplyBuilder(model.name, options);
  const stream = await client.messages.create(toParams(model, request), { signal: options.signal });
  for await (const event of stream) add(builder, event);
  return builder.reply();
}

function add(builder: ReplyBuilder, event: RawMessageStreamEvent): void {
  switch (event.type) {
    case 'message_start': {
      const { model, usage } = event.message;
      builder.model = model;
      builder.promptTokens =
        usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
      break;
    }
    case 'content_block_start': {
      const block = event.content_block;
      if (block.type === 'text') builder.addText(block.text);
      if (block.type === 'tool_use') builder.addCall(event.index, { id: block.id, name: block.name });
      break;
    }
    case 'content_block_delta':
      if (event.delta.type === 'text_delta') builder.addText(event.delta.text);
      if (event.delta.type === 'input_json_delta')
        builder.addCall(event.index, { arguments: event.delta.partial_json });
      break;
    case 'message_delta':
      builder.finishReason = event.delta.stop_reason ?? builder.finishReason;
      builder.completionTokens = event.usage.output_tokens;
      break;
    default:
  }
}

function toParams(
  { name, temperature, maxTokens = defaultMaxTokens }: ModelAccess,
  { messages, tools }: ModelRequest,
): MessageCreateParamsStreaming {
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
  return {
    model: name,
    max_tokens: maxTokens,
    ...(system === '' ? {} : { system }),
    messages: toAnthropic(messages),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name: tool, description, parameters }) => {
            // The form of every schema of a tool.
            return { name: tool, description, input_schema: { ...parameters, type: 'object' as const } };
          }),
        }),
    ...(temperature === undefined ? {} : { temperature }),
    stream: true,
  };
}

type Content = ContentBlockParam[];

/** Neighbours of one role are one message: results of tools are what the user says. */
function toAnthropic(messages: readonly ModelMessage[]): MessageParam[] {
  const merged: { role: 'user' | 'assistant'; content: Content }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = toContent(message);
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) merged.push({ role, content });
  }
  return merged;
}

function toContent(message: ModelMessage): Content {
  if (message.role === 'tool') {
    const { toolCallId, content, isError } = message;
    return [{ type: 'tool_result', tool_use_id: toolCallId, content, is_error: isError }];
  }
  const text: Content = message.content.trim() === '' ? [] : [{ type: 'text', text: message.content }];
  if (message.role !== 'assistant') return text;
  return [
    ...text,
    ...message.toolCalls.map(({ id, name, arguments: given }) => {
      return { type: 'tool_use' as const, id, name, input: parseInput(given) };
    }),
  ];
}

/** What the model wrote as input, as far as it is an object. */
function parseInput(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
