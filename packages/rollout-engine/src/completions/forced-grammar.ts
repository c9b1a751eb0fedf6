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
 * The same behind a thought. Where the prompt opened one, the model ends it first, or everything that is forced would be
 * read as reasoning. Models that mark that they do not think keep that choice. Without a parser of reasoning there are no
 * thoughts.
 */
export function forcedAfterThought(
  grammar: string | undefined,
  reasoningParser: ReasoningParserName,
  startsInReasoning: boolean,
): string | undefined {
  const format = findReasoningFormat(reasoningParser);
  if (grammar === undefined || format === undefined) return grammar;
  if (startsInReasoning) return grammarAfterThought(grammar, format.close);
  return format.closesUnopened === true ? grammarAfterThought(grammar, format.close, format.open) : grammar;
}

export function assertGrammar(grammar: string | undefined, canFollow: boolean): void {
  if (grammar === undefined || canFollow) return;
  throw new AppError('invalid_request', 'The engine supports neither answer formats nor required tool calls.', {
    reason: 'parameter_not_supported',
  });
}
