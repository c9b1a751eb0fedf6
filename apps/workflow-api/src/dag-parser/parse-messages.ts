import type { ParseOptions, ParseResult } from '@weir/workflow-spec';

/** What the parse worker is sent, one at a time; its answer is a {@link ParseResult}. */
export interface ParseRequest {
  readonly text: string;
  readonly options: ParseOptions;
}

export type ParseAnswer = ParseResult;
