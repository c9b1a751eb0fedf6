import { AppError } from '@weir/foundation';
import type { ToolDefinition } from '../conversation/message';
import { createGrammarRules } from '../grammar/grammar-rules';
import { findToolFormat, type ToolParserName } from './registry';

export interface ToolCallGrammarOptions {
  /** The one tool that must be called. Default: any of them. */
  readonly named?: string;
  /** Whether there may be more than one call, at most 16. */
  readonly parallel: boolean;
}

const maxFurtherCalls = 15;

/**
 * GBNF of a whole answer, markers included, that calls a tool and holds nothing else, so that the parser of the same
 * format finds the call. Fails with `invalid_request`: reason `tool_unknown` if there is no such tool or no tool,
 * `tool_choice_not_supported` for the format `none`, `schema_not_supported` for the parameters of a tool.
 */
export function createToolCallGrammar(
  parser: ToolParserName,
  tools: readonly ToolDefinition[],
  options: ToolCallGrammarOptions,
): string {
  const chosen = options.named === undefined ? tools : tools.filter((tool) => tool.name === options.named);
  if (chosen.length === 0) {
    throw new AppError('invalid_request', 'There is no tool of that name to call.', { reason: 'tool_unknown' });
  }
  const format = findToolFormat(parser);
  if (format === undefined) {
    throw new AppError('invalid_request', 'This model has no tool format, so no call can be required of it.', {
      reason: 'tool_choice_not_supported',
    });
  }
  return format.createGrammar({
    rules: createGrammarRules(),
    tools: chosen,
    furtherCalls: options.parallel ? maxFurtherCalls : 0,
  });
}
