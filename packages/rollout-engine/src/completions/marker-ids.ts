import { parserMarkers, type ReasoningParserName, type ToolParserName } from '@weir/rollout-core';
import type { Tokenizer } from '../tokenizer/tokenizer';

/** The tokens that the parsers of an answer look for. Of control tokens, only these have text in it. */
export function markerIds(
  tokenizer: Pick<Tokenizer, 'findId'>,
  toolParser: ToolParserName,
  reasoningParser: ReasoningParserName,
): ReadonlySet<number> {
  const ids = parserMarkers(toolParser, reasoningParser).map((marker) => tokenizer.findId(marker));
  return new Set(ids.filter((id) => id !== undefined));
}
