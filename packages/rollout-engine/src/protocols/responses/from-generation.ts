import type { AppError, ErrorCode } from '@weir/foundation';
import type { CompletionEvent, CompletionResult, Usage } from '../../completions/completion';
import type { AnswerBuilder } from '../model-protocol';
import { createOutputWriter, type OutputItem } from './output-writer';
import type { ResponsesCall } from './to-generation';

export function createResponsesAnswer(call: ResponsesCall): AnswerBuilder {
  const writer = createOutputWriter(() => undefined);
  let head: ResponseHead | undefined;
  let result: CompletionResult | undefined;
  return {
    take: (event: CompletionEvent) => {
      if (event.kind === 'started') {
        head = toHead(event);
        writer.start(event.id);
      } else if (event.kind === 'finished') {
        result = event.result;
        writer.finish(result);
      } else writer.take(event);
    },
    body: () =>
      head === undefined || result === undefined
        ? undefined
        : { ...toResponse(call, head, toEnd(result)), output: writer.items },
  };
}

export interface ResponseHead {
  readonly id: string;
  readonly created_at: number;
}

export function toHead({ id, createdAt }: { readonly id: string; readonly createdAt: Date }): ResponseHead {
  return { id, created_at: Math.floor(createdAt.getTime() / 1000) };
}

interface ResponseEnd {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly incomplete_details: { readonly reason: 'max_output_tokens' } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly usage: Readonly<Record<string, unknown>> | null;
}

export const inProgress: ResponseEnd = { status: 'in_progress', incomplete_details: null, error: null, usage: null };

export function toEnd({ finishReason, usage }: CompletionResult): ResponseEnd {
  const isCut = finishReason === 'length';
  return {
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    error: null,
    usage: toUsage(usage),
  };
}

/** The protocol has few codes for an answer that fails after its start. */
const failures: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_request: 'invalid_prompt',
  rate_limited: 'rate_limit_exceeded',
};

export function toFailure({ code, message }: AppError): ResponseEnd {
  return {
    status: 'failed',
    incomplete_details: null,
    error: { code: failures[code] ?? 'server_error', message },
    usage: null,
  };
}

/** The response object without its output: the request with its defaults, and the status. */
export function toResponse({ request, body }: ResponsesCall, head: ResponseHead, end: ResponseEnd): OutputItem {
  return {
    id: head.id,
    object: 'response',
    created_at: head.created_at,
    status: end.status,
    background: false,
    error: end.error,
    incomplete_details: end.incomplete_details,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: null,
    model: request.model,
    output: [],
    parallel_tool_calls: request.parallelToolCalls,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: body.text?.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: (body.tools ?? []).map(toResponseTool),
    top_logprobs: request.topLogprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    usage: end.usage,
    user: body.user ?? null,
    metadata: body.metadata ?? {},
  };
}

function toResponseTool(tool: NonNullable<ResponsesCall['body']['tools']>[number]): OutputItem {
  const { name, description = null, parameters = null, strict = null } = tool;
  return { type: 'function', name, description, parameters, strict };
}

function toUsage(usage: Usage): Readonly<Record<string, unknown>> {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens, cache_write_tokens: 0 },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}
