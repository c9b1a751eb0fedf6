import type {
  ContentBlockParam,
  MessageCreateParamsBase,
  MessageDeltaUsage,
  MessageParam,
  RawMessageStreamEvent,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages';
import type { AskOptions, ModelAccess, ModelMessage, ModelReply, ModelRequest } from './conversation';
import { ReplyBuilder } from './reply-builder';

const defaultMaxTokens = 4_096;
const maxPauses = 10;

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
  const params = toParams(model, request);
  const parts: ContentBlockParam[] = [];
  const used = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
  for (let pauses = 0; pauses <= maxPauses; pauses += 1) {
    const pending: MessageParam[] = parts.length === 0 ? [] : [{ role: 'assistant', content: [...parts] }];
    const messages = [...params.messages, ...pending];
    const stream = client.messages.stream({ ...params, messages }, { signal: options.signal });
    for await (const event of stream) add(builder, event);
    if (builder.finishReason !== '') parts.push(...(await stream.finalMessage()).content);
    used.promptTokens += builder.promptTokens;
    used.completionTokens += builder.completionTokens;
    used.cachedTokens += builder.cachedTokens;
    // The server pauses a long search, and goes on once it is given what it has sent.
    if (builder.finishReason !== 'pause_turn') break;
  }
  return { ...builder.reply(), ...used, parts };
}

function add(builder: ReplyBuilder, event: RawMessageStreamEvent): void {
  switch (event.type) {
    case 'message_start':
      builder.model = event.message.model;
      builder.finishReason = '';
      addUsage(builder, event.message.usage);
      break;
    case 'content_block_start': {
      const block = event.content_block;
      if (block.type === 'text') builder.addText(block.text);
      if (block.type === 'thinking') builder.addThought(block.thinking);
      if (block.type === 'tool_use') builder.addCall(event.index, { id: block.id, name: block.name });
      if (block.type === 'web_search_tool_result') builder.addHeld(JSON.stringify(block.content));
      break;
    }
    case 'content_block_delta':
      if (event.delta.type === 'text_delta') builder.addText(event.delta.text);
      if (event.delta.type === 'thinking_delta') builder.addThought(event.delta.thinking);
      if (event.delta.type === 'input_json_delta') builder.addArguments(event.index, event.delta.partial_json);
      break;
    case 'message_delta':
      builder.finishReason = event.delta.stop_reason ?? builder.finishReason;
      addUsage(builder, event.usage);
      break;
    default:
  }
}

/** The last figures count, which hold what was searched meanwhile; missing ones are those of the start. */
function addUsage(
  builder: ReplyBuilder,
  {
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: output,
  }: Usage,
): void {
  builder.completionTokens = output;
  if (typeof input !== 'number') return;
  builder.promptTokens = input + (read ?? 0) + (written ?? 0);
  builder.cachedTokens = read ?? 0;
}

type Usage = Pick<
  MessageDeltaUsage,
  'input_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens' | 'output_tokens'
>;

function toParams(
  { name, temperature, maxTokens = defaultMaxTokens, reasoningEffort }: ModelAccess,
  { messages, tools, serverTools = [], more }: ModelRequest,
): MessageCreateParamsBase {
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
  const functions = tools.map(({ name: tool, description, parameters }) => {
    // The form of every schema of a tool.
    return { name: tool, description, input_schema: { ...parameters, type: 'object' as const } };
  });
  // They are written as the provider wants them.
  const offered = [...functions, ...serverTools] as ToolUnion[];
  return {
    model: name,
    max_tokens: maxTokens,
    ...(system === '' ? {} : { system }),
    messages: toAnthropic(messages),
    ...(tools.length + serverTools.length === 0 ? {} : { tools: offered }),
    ...(temperature === undefined ? {} : { temperature }),
    // Without `thinking`, whose signed thoughts would have to be kept and sent back with each result of a tool.
    ...(reasoningEffort === undefined ? {} : { output_config: { effort: reasoningEffort } }),
    ...more,
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
  if (message.parts !== undefined) return [...message.parts];
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
