import type { JsonValue } from '@weir/workflow-spec';

/** One call of an author's function, with its references replaced. */
export interface JsCall {
  /** A function expression or a module with `export default`, or for a `body` the body of a function of `input`. */
  readonly code: string;
  readonly form: 'function' | 'body';
  /** The name of the code in stack traces: `js.run`, or the file as written. */
  readonly name: string;
  readonly language: 'javascript' | 'typescript';
  /** `undefined` when missing. */
  readonly input?: JsonValue | undefined;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Limits the returned value as JSON, and separately everything that is printed. */
  readonly maxBytes: number;
}

/** `json` is missing when the function returned nothing, and indented for a `body`. Errors never quote the code. */
export type JsResult =
  | { readonly kind: 'returned'; readonly json?: string }
  | {
      readonly kind: 'failed';
      readonly error: string;
      /** Stack trace within the code. */
      readonly stack?: string;
    };

/** Printed by the function, in order; each text ends with a line break. */
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
