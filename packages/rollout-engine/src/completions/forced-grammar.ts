import { AppError } from '@weir/foundation';
import {
  createJsonObjectGrammar,
  createJsonSchemaGrammar,
  createToolCallGrammar,
  findReasoningFormat,
  grammarAfterThought,
  type ReasoningParserName,
  type ToolParserName,
} from '@weir/rollout-core';
import type { CompletionRequest } from './completion';

/** The grammar that a required call or an answer format imposes on the answer. */
export function forcedGrammar(request: CompletionRequest, toolParser: ToolParserName): string | undefined {
  const { toolChoice, tools, format, parallelToolCalls: parallel } = request;
  if (toolChoice.kind === 'required') return createToolCallGrammar(toolParser, tools, { parallel });
  if (toolChoice.kind === 'named')
    return createToolCallGrammar(toolParser, tools, { named: toolChoice.name, parallel });
  if (format.kind === 'json_schema') return createJsonSchemaGrammar(format.schema);
  if (format.kind === 'json_object') return createJsonObjectGrammar();
  return undefined;
}

/**
 * The same for a prompt that opened a thought: the model ends it first, or everything that is forced would be read as
 * reasoning. Without a parser of reasoning there are no thoughts.
 */
export function forcedAfterThought(
  grammar: string | undefined,
  reasoningParser: ReasoningParserName,
): string | undefined {
  const format = findReasoningFormat(reasoningParser);
  return grammar === undefined || format === undefined ? grammar : grammarAfterThought(grammar, format.close);
}

export function assertGrammar(grammar: string | undefined, canFollow: boolean): void {
  if (grammar === undefined || canFollow) return;
  throw new AppError('invalid_request', 'The engine supports neither answer formats nor required tool calls.', {
    reason: 'parameter_not_supported',
  });
}
