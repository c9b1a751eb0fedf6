import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { AskOptions, ModelAccess, ModelMessage, ModelReply, ModelRequest } from './conversation';
import { createOpenAiClient } from './openai-client';
import { ReplyBuilder } from './reply-builder';

/** Asks by chat completions. Rejects with what the library throws. */
export async function askOpenAi(model: ModelAccess, request: ModelRequest, options: AskOptions): Promise<ModelReply> {
  const client = await createOpenAiClient({ ...model, ...options });
  const builder = new ReplyBuilder(model.name, options);
  const stream = await client.chat.completions.create(toParams(model, request), { signal: options.signal });
  for await (const { choices, model: name, usage } of stream) {
    builder.model = name;
    builder.promptTokens = usage?.prompt_tokens ?? builder.promptTokens;
    builder.completionTokens = usage?.completion_tokens ?? builder.completionTokens;
    const [choice] = choices;
    builder.finishReason = choice?.finish_reason ?? builder.finishReason;
    builder.addText(choice?.delta.content ?? choice?.delta.refusal ?? '');
    for (const { index, id, function: called } of choice?.delta.tool_calls ?? [])
      builder.addCall(index, { id, ...called });
  }
  return builder.reply();
}

function toParams(
  { name, temperature, maxTokens, reasoningEffort }: ModelAccess,
  { messages, tools, more }: ModelRequest,
): ChatCompletionCreateParamsStreaming {
  return {
    model: name,
    messages: messages.map(toOpenAi),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })) }),
    ...(temperature === undefined ? {} : { temperature }),
    // oxlint-disable-next-line typescript/no-deprecated -- its successor is known to OpenAI alone
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    ...more,
    stream: true,
    stream_options: { include_usage: true },
  };
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
