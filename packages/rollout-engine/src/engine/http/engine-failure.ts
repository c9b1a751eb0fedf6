import { AppError } from '@weir/foundation';

/** The engine did not start the request, or returned nothing: a retry may help. */
export function engineUnavailable(reason: string, cause?: unknown): AppError {
  return new AppError('unavailable', 'The inference engine cannot take the request now.', { reason, cause });
}

export function engineFailed(reason: string, cause?: unknown): AppError {
  return new AppError('upstream_failed', 'The inference engine failed.', { reason, cause });
}

export function engineTimeout(reason: string, cause?: unknown): AppError {
  return new AppError('upstream_timeout', 'The inference engine did not answer in time.', { reason, cause });
}

export function promptTooLong(): AppError {
  return new AppError('invalid_request', 'The prompt is longer than the context of the model allows.', {
    reason: 'prompt_too_long',
  });
}

export function parameterNotSupported(parameter: string): AppError {
  return new AppError('invalid_request', `The inference engine has no parameter ${parameter}.`, {
    reason: 'parameter_not_supported',
    details: { parameter },
  });
}

const busyStatuses: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);
const refusedStatuses: ReadonlySet<number> = new Set([400, 413, 422]);

// Only llama.cpp has a code for an overflow; the others report it in a sentence.
const overflow =
  /exceed_context_size|context[ _]length|context size|context window|max_model_len|longer than the|too long/i;

export function isOverflowText(text: string): boolean {
  return overflow.test(text);
}

// SGLang, vLLM and llama.cpp, in this order: each says it when a call chooses an adapter.
const modelUnknown =
  /lora adapters?\b.*(?:not loaded|never been loaded)|model `?.*`? does not exist|invalid adapter id/is;

/** The engine has neither a model nor an adapter of the name that it was asked for. */
export const modelUnknownReason = 'engine_model_unknown';

/** Maps an error status. The text is only matched, never included: it may contain the prompt. */
export function toStatusFailure(status: number, text: string): AppError {
  if (modelUnknown.test(text)) return engineFailed(modelUnknownReason);
  if (busyStatuses.has(status)) return engineUnavailable(`engine_status_${status}`);
  if (refusedStatuses.has(status) && isOverflowText(text)) return promptTooLong();
  return engineFailed(refusedStatuses.has(status) ? 'engine_refused' : `engine_status_${status}`);
}

const timeoutCodes: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Maps a lost connection. `hasAnswer`: the head of the answer was received, so the engine had started. */
export function toConnectionFailure(error: unknown, hasAnswer: boolean): AppError {
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && timeoutCodes.has(code)) return engineTimeout('engine_silent', scrubbed(code));
  const cause = scrubbed(typeof code === 'string' ? code : 'unknown');
  return hasAnswer ? engineFailed('engine_connection_lost', cause) : engineUnavailable('engine_unreachable', cause);
}

/** Messages of the network layer contain the address, and causes are logged. */
function scrubbed(code: string): Error {
  return new Error(`connection failed (${code})`);
}
