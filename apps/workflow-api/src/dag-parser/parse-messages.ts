import type { ParseResult } from '@weir/workflow-spec';
import type { SpecOptions } from './parse-spec';

/** The message to the parse worker, one at a time; the worker answers with a {@link ParseResult}. */
export interface ParseRequest {
  readonly text: string;
  readonly options: SpecOptions;
}

export type ParseAnswer = ParseResult;
