import type { OutputResult, OutputRequest } from './evaluate-outputs';

/** Evaluates expressions on what steps print. */
export interface OutputEvaluator {
  /** Settles in bounded time and memory; rejects only when the evaluator itself fails. */
  evaluate(request: OutputRequest, signal: AbortSignal): Promise<OutputResult>;
}
