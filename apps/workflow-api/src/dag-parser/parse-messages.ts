import type { ParseResult } from '@weir/workflow-spec';
import type { SpecOptions } from './parse-spec';

/** What the parse worker is sent, one at a time; its answer is a {@link ParseResult}. */
export interface ParseRequest {
  readonly text: string;
  readonly options: SpecOptions;
}

export type ParseAnswer = ParseResult;
