import { AppError } from '@weir/errors';
import {
  createJsonObjectGrammar,
  createJsonSchemaGrammar,
  createToolCallGrammar,
  type ToolParserName,
} from '@weir/rollout-core';
import type { CompletionRequest } from './completion';

/** The grammar that an answer has to follow, where its caller left no other choice. */
export function forcedGrammar(request: CompletionRequest, toolParser: ToolParserName): string | undefined {
  const { toolChoice, tools, format, parallelToolCalls: parallel } = request;
  if (toolChoice.kind === 'required') return createToolCallGrammar(toolParser, tools, { parallel });
  if (toolChoice.kind === 'named')
    return createToolCallGrammar(toolParser, tools, { named: toolChoice.name, parallel });
  if (format.kind === 'json_schema') return createJsonSchemaGrammar(format.schema);
  if (format.kind === 'json_object') return createJsonObjectGrammar();
  return undefined;
}

/** An engine that cannot be held to a grammar must not look as if it was. */
export function assertGrammar(grammar: string | undefined, canFollow: boolean): void {
  if (grammar === undefined || canFollow) return;
  throw new AppError('invalid_request', 'The engine cannot be held to a form of answer or to a choice of tool.', {
    reason: 'parameter_not_supported',
  });
}
