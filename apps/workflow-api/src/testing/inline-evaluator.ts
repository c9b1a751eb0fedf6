import { evaluateOutputs } from '@weir/workflow-engine';
import type { OutputEvaluator } from '../output-thread';

/** Evaluates outputs on the calling thread, without jq; specs write these outputs themselves. */
export function createInlineEvaluator(): OutputEvaluator {
  const select = (): never => {
    throw new Error('Only the thread has jq.');
  };
  return { evaluate: (request) => Promise.resolve(evaluateOutputs(request, select)) };
}
