import { evaluateOutputs } from '@weir/workflow-engine';
import type { OutputEvaluator } from '../output-thread';

/** Works outputs out on the calling thread, without jq: for specs, whose outputs are their own. */
export function createInlineEvaluator(): OutputEvaluator {
  const select = (): never => {
    throw new Error('Only the thread has jq.');
  };
  return { evaluate: (request) => Promise.resolve(evaluateOutputs(request, select)) };
}
