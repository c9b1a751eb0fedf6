import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { AskOptions, ModelAccess, ModelMessage, ModelReply, ModelRequest } from './conversation';
import { createOpenAiClient } from './openai-client';
import { ReplyBuilder } from './reply-builder';

/** Asks by chat completions. Rejects with what the library throws. */
export async function askOpenAi(model: ModelAccess, request: ModelRequest, options: AskOptions): Promise<ModelReply> {
  const client = await createOpenAiClient({ ...model, ...options });
  const builder = new ReplyBuilder(model.name, options);
  const found = await client.chat.completions.create(toParams(model, request), { signal: options.signal });
  if ('choices' in found) add(builder, found);
  else for await (const chunk of found) add(builder, chunk);
  return builder.reply();
}

function add(builder: ReplyBuilder, { choices, model, usage }: ChatCompletion | ChatCompletionChunk): void {
  builder.model = model;
  builder.promptTokens = usage?.prompt_tokens ?? builder.promptTokens;
  builder.completionTokens = usage?.completion_tokens ?? builder.completionTokens;
  builder.cachedTokens = usage?.prompt_tokens_details?.cached_tokens ?? builder.cachedTokens;
  const [choice] = choices;
  if (choice === undefined) return;
  builder.finishReason = choice.finish_reason ?? builder.finishReason;
  const part: Part = 'delta' in choice ? choice.delta : toPart(choice.message);
  builder.addThought(part.reasoning_content ?? part.reasoning ?? '');
  builder.addText(part.content ?? part.refusal ?? '');
  for (const { index, id, function: called } of part.tool_calls ?? []) builder.addCall(index, { id, ...called });
}

interface Part extends Pick<ChatCompletionChunk.Choice.Delta, 'content' | 'refusal' | 'tool_calls'> {
  /** OpenAI shows no thoughts; other servers do, under one of these names. */
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
}

/** A whole message counts as its one part. */
function toPart({ tool_calls: calls = [], ...message }: ChatCompletion.Choice['message']): Part {
  const functions = calls.flatMap((call, index) => (call.type === 'function' ? [{ ...call, index }] : []));
  return { ...message, tool_calls: functions };
}

function toParams(
  { name, temperature, maxTokens, reasoningEffort }: ModelAccess,
  { messages, tools, serverTools = [], more, isStreamed = true }: ModelRequest,
): ChatCompletionCreateParams {
  const functions = tools.map((tool) => ({ type: 'function' as const, function: { ...tool } }));
  // The library knows no tools of other servers.
  const offered = [...functions, ...serverTools] as ChatCompletionTool[];
  const params = {
    model: name,
    messages: messages.map(toOpenAi),
    ...(tools.length + serverTools.length === 0 ? {} : { tools: offered }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    ...more,
  };
  return isStreamed ? { ...params, stream: true, stream_options: { include_usage: true } } : params;
}

function toOpenAi(message: ModelMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const calls = message.toolCalls.map(({ id, name, arguments: given }) => {
        return { id, type: 'function' as const, function: { name, arguments: given } };
      });
      return { role: 'assistant', content: message.content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    }
  }
}
