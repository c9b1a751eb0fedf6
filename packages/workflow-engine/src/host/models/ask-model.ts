import { isAppError } from '@weir/foundation';
import { askAnthropic } from './ask-anthropic';
import { askOpenAi } from './ask-openai';
import type { AskOptions, ModelAccess, ModelReply, ModelRequest } from './conversation';
import { describeModelFailure, modelFailed, noAnswerWithin } from './model-failure';

/**
 * Streams one reply. Rejects with `upstream_failed`, reason `model_failed`, when the model refuses, is cut off or does
 * not answer in time, and with the reason of the signal once that is aborted.
 */
export async function askModel(model: ModelAccess, request: ModelRequest, options: AskOptions): Promise<ModelReply> {
  const limit = AbortSignal.timeout(options.timeoutMs);
  const bounded = { ...options, signal: AbortSignal.any([options.signal, limit]) };
  const ask = model.protocol === 'anthropic' ? askAnthropic : askOpenAi;
  try {
    const reply = await ask(model, request, bounded);
    bounded.signal.throwIfAborted();
    return reply;
  } catch (error) {
    options.signal.throwIfAborted();
    if (limit.aborted) throw modelFailed(noAnswerWithin(options.timeoutMs), error);
    const failure = isAppError(error) ? undefined : describeModelFailure(error);
    throw failure === undefined ? error : modelFailed(failure, error);
  }
}
