import { needsControlText, plainMarkers, type ReasoningParserName, type ToolParserName } from '@weir/rollout-core';
import type { Tokenizer } from '../tokenizer/tokenizer';

/** Whether the parsers would miss markers if control tokens gave no text: some vocabularies have all of them as such. */
export function needsControlTokens(
  tokenizer: Pick<Tokenizer, 'findId' | 'isControl'>,
  toolParser: ToolParserName,
  reasoningParser: ReasoningParserName,
): boolean {
  const isControlToken = (marker: string): boolean => {
    const id = tokenizer.findId(marker);
    return id !== undefined && tokenizer.isControl(id);
  };
  return needsControlText(toolParser, reasoningParser) || plainMarkers.some(isControlToken);
}
