import type { AppError } from '@weir/foundation';
import { parseSafeUrl } from './address';
import { attemptCall } from './attempt';
import { attemptLimitMs, backoffMs, maxAttempts, retryAfterMs } from './backoff';
import type { ServiceResponse, ServiceCall, CallFailure } from './service-call';
import { deadlineError, failedError, refusedError, type CallContext } from './call-errors';
import { isTransientStatus } from './failures';
import { headerText } from './header-text';
import { readServiceError } from './service-error';

export interface TransportOptions {
  /** The environment with the variables of proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  /** Sent to Google Cloud services for their audit logs. */
  readonly requestReason: string | undefined;
  /** The deadline of all calls together, in milliseconds of `now`. */
  readonly deadline: number;
  /** The time limit of one attempt. Default: depends on the remaining time. */
  readonly attemptTimeoutMs?: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  readonly debug: (text: string) => void;
}

/** Sends every request of the action, with retries, timeouts and a deadline. */
export interface Transport {
  /**
   * Resolves with a 2xx response. Fails with an AppError of one of `refusalReasons`, `network_unreachable`,
   * `tls_failed`, `proxy_failed`, `answer_malformed`, `deadline_passed` or `address_unsafe`.
   */
  send(call: ServiceCall): Promise<ServiceResponse>;
  /** Waits, but not past the deadline. */
  pause(milliseconds: number): Promise<void>;
}

/** Loads the HTTP stack at the first call, so that refusing invalid inputs stays fast. */
export function createTransport(options: TransportOptions): Transport {
  const { now, sleep, deadline } = options;
  const remaining = () => deadline - now();

  const attempt = async (call: ServiceCall, number: number): Promise<ServiceResponse | CallFailure> => {
    const startedAt = now();
    const timeoutMs = options.attemptTimeoutMs ?? attemptLimitMs(remaining());
    const outcome = await attemptCall(call, { timeoutMs, env: options.env });
    const result = 'reason' in outcome ? `${outcome.reason} ${outcome.description}` : String(outcome.status);
    const { method, url, kind } = call;
    options.debug(`${method} ${url.host} ${kind}: ${result}, attempt ${number}, ${now() - startedAt} ms`);
    return outcome;
  };

  const send = async (unsafeCall: ServiceCall): Promise<ServiceResponse> => {
    const call = { ...unsafeCall, url: parseSafeUrl(unsafeCall.url.href), headers: buildHeaders(unsafeCall, options) };
    let lastError: AppError | undefined;
    for (let attempts = 1; ; attempts += 1) {
      if (remaining() <= 0) throw deadlineError(lastError, { call, attempts: attempts - 1, now: now() });
      const outcome = await attempt(call, attempts);
      if (isSuccess(outcome)) return outcome;

      const context = { call, attempts, now: now() };
      lastError = toCallError(outcome, context);
      if (attempts === maxAttempts || !isRetryable(call, outcome, attempts)) throw lastError;
      const waitMs = Math.max(
        backoffMs(attempts, options.random),
        retryAfterMs(outcome.retryAfter, outcome.date, now()),
      );
      if (waitMs >= remaining()) throw deadlineError(lastError, context);
      await sleep(waitMs);
    }
  };

  return { send, pause: (milliseconds) => sleep(Math.max(0, Math.min(milliseconds, remaining()))) };
}

function buildHeaders(
  call: ServiceCall,
  { userAgent, requestReason }: TransportOptions,
): Readonly<Record<string, string>> {
  const headers = { Accept: 'application/json', ...call.headers, 'User-Agent': userAgent };
  // The other services do not belong to Google Cloud.
  if (requestReason === undefined || ['oidc', 'aws', 'aws_call', 'azure', 'azure_secret'].includes(call.service))
    return headers;
  return { ...headers, 'X-Goog-Request-Reason': headerText(requestReason) };
}

function isSuccess(outcome: ServiceResponse | CallFailure): outcome is ServiceResponse {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}

function toCallError(outcome: ServiceResponse | CallFailure, context: CallContext): AppError {
  return 'reason' in outcome ? failedError(outcome, context) : refusedError(outcome, context);
}

// Issuing a token twice is harmless, so a POST can be retried like a GET.
function isRetryable(call: ServiceCall, outcome: ServiceResponse | CallFailure, attempts: number): boolean {
  if ('reason' in outcome) return outcome.isTransient;
  if (isTransientStatus(outcome.status) || call.isTransient?.(outcome) === true) return true;
  if (call.service !== 'oidc') return false;
  return isPending(outcome) || (attempts < maxOidcRefusals && [400, 403].includes(outcome.status));
}

/** The CI provider may refuse a job once and then give it a token. */
const maxOidcRefusals = 3;

// The CI provider answers 403 until the job is registered with its token service.
function isPending({ status, body }: ServiceResponse): boolean {
  if (status !== 403) return false;
  const description = readServiceError(body, []).description ?? '';
  return /\b(?:pending|delayed)\b/i.test(description);
}
