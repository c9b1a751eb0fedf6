import { needsControlText, type ReasoningParserName, type ToolParserName } from '@weir/rollout-core';
import type { Tokenizer } from '../tokenizer/tokenizer';

/** Marks that a chat template writes around calls of tools, the more telling ones first. */
const toolMarks: readonly (readonly [mark: string, parser: ToolParserName])[] = [
  ['<function=', 'qwen3-coder'],
  ['<tool_call>', 'hermes'],
  ['[TOOL_CALLS]', 'mistral'],
  ['<｜tool▁calls▁begin｜>', 'deepseek'],
  ['<|python_tag|>', 'llama3-json'],
  ['<|start_header_id|>', 'llama3-json'],
];

/** How a model writes its calls, told from its chat template; `none` where that shows no sign of any. */
export function chooseToolParser(chatTemplate: string): ToolParserName {
  return toolMarks.find(([mark]) => chatTemplate.includes(mark))?.[1] ?? 'none';
}

/** The same of its thoughts. */
export function chooseReasoningParser(chatTemplate: string): ReasoningParserName {
  if (chatTemplate.includes('[THINK]')) return 'mistral-think';
  if (!chatTemplate.includes('<think>') && !chatTemplate.includes('</think>')) return 'none';
  return chatTemplate.includes('<｜Assistant｜>') ? 'deepseek-r1' : 'qwen3';
}

const markers = ['<tool_call>', '</tool_call>', '<think>', '</think>'];

/** Whether the parsers would miss their marks if control tokens gave no text. Most models have these as plain tokens. */
export function needsControlTokens(
  tokenizer: Pick<Tokenizer, 'findId' | 'isControl'>,
  toolParser: ToolParserName,
  reasoningParser: ReasoningParserName,
): boolean {
  const isHidden = (mark: string): boolean => {
    const id = tokenizer.findId(mark);
    return id !== undefined && tokenizer.isControl(id);
  };
  return needsControlText(toolParser, reasoningParser) || markers.some(isHidden);
}
