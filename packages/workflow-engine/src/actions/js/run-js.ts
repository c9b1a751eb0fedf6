import type { JsonValue } from '@weir/workflow-spec';

/** One call of a function of an author, with everything worked out. */
export interface JsCall {
  /** A function as an expression, or a module text with `export default`. */
  readonly code: string;
  /** What stands for the code in stacks: `js.run`, or the file as it was named. */
  readonly name: string;
  readonly language: 'javascript' | 'typescript';
  readonly input: JsonValue;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Of the returned value as JSON, and of all that is printed, each. */
  readonly maxBytes: number;
}

/** `json` is missing when the function returned nothing. Errors are texts for people and never hold the code. */
export type JsResult =
  | { readonly kind: 'returned'; readonly json?: string }
  | {
      readonly kind: 'failed';
      readonly error: string;
      /** Where in the code it was thrown. */
      readonly stack?: string;
    };

/** What the function prints, in order; each text ends with a new line. */
export interface JsPrinted {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export interface JsCallContext {
  readonly signal: AbortSignal;
  readonly onPrinted: (printed: JsPrinted) => void;
}

/**
 * Runs the function in bounded time and memory, where nothing of one call reaches another. Rejects only when it cannot
 * be run at all, or with anything once the signal is aborted.
 */
export type RunJs = (call: JsCall, context: JsCallContext) => Promise<JsResult>;
