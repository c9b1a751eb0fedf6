import { AppError } from '@weir/errors';
import { grammarOfJsonObject, grammarOfSchema, toolCallGrammar, type ToolParserName } from '@weir/rollout-core';
import type { TurnRequest } from './turn';

/** The grammar that an answer has to follow, where its caller left no other choice. */
export function forcedGrammar(request: TurnRequest, toolParser: ToolParserName): string | undefined {
  const { toolChoice, tools, format, parallelToolCalls: parallel } = request;
  if (toolChoice.kind === 'required') return toolCallGrammar(toolParser, tools, { parallel });
  if (toolChoice.kind === 'named') return toolCallGrammar(toolParser, tools, { named: toolChoice.name, parallel });
  if (format.kind === 'json_schema') return grammarOfSchema(format.schema);
  if (format.kind === 'json_object') return grammarOfJsonObject();
  return undefined;
}

/** An engine that cannot be held to a grammar must not look as if it was. */
export function assertGrammar(grammar: string | undefined, canFollow: boolean): void {
  if (grammar === undefined || canFollow) return;
  throw new AppError('invalid_request', 'The engine cannot be held to a form of answer or to a choice of tool.', {
    reason: 'parameter_not_supported',
  });
}
