import type { AppError } from '@weir/errors';
import { safeAddress } from './address';
import { attemptCall } from './attempt';
import { backoffMs, maxAttempts, retryAfterMs } from './backoff';
import type { Answer, Call, Failure } from './call';
import { deadlineError, failedError, refusedError, type Ending } from './call-errors';
import { isPassingStatus } from './failures';
import { headerText } from './header-text';
import { readRefusal } from './refusal';

export interface TransportOptions {
  /** As {@link createUserAgent} makes it. */
  readonly userAgent: string;
  /** Sent to the cloud's services with every call, for its audit logs. */
  readonly requestReason: string | undefined;
  /** When the time of all calls together is over, in milliseconds of `now`. */
  readonly deadline: number;
  /** For one attempt; 10,000 unless given. */
  readonly attemptTimeoutMs?: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** 0 to below 1. */
  readonly random: () => number;
  readonly debug: (text: string) => void;
}

/** The one way out of the action: every call is retried, bounded and named alike. */
export interface Transport {
  /**
   * Answers with a success (2xx). Fails with an AppError of reason `<service>_refused`, `network_unreachable`,
   * `tls_failed`, `proxy_failed`, `answer_malformed`, `deadline_passed` or `address_unsafe`.
   */
  send(call: Call): Promise<Answer>;
  /** Waits, but not beyond the deadline. */
  pause(milliseconds: number): Promise<void>;
}

const defaultAttemptTimeoutMs = 10_000;

/** Loads the HTTP stack at the first call only, so that failing fast on bad input stays cheap. */
export function createTransport(options: TransportOptions): Transport {
  const { now, sleep, deadline } = options;
  const remaining = () => deadline - now();

  const attempt = async (call: Call, number: number): Promise<Answer | Failure> => {
    const startedAt = now();
    const outcome = await attemptCall(call, Math.min(options.attemptTimeoutMs ?? defaultAttemptTimeoutMs, remaining()));
    const result = 'reason' in outcome ? `${outcome.reason} ${outcome.description}` : String(outcome.status);
    const { method, url, kind } = call;
    options.debug(`${method} ${url.host} ${kind}: ${result}, attempt ${number}, ${now() - startedAt} ms`);
    return outcome;
  };

  const send = async (plain: Call): Promise<Answer> => {
    const call = { ...plain, url: safeAddress(plain.url.href), headers: headersOf(plain, options) };
    let last: AppError | undefined;
    for (let attempts = 1; ; attempts += 1) {
      if (remaining() <= 0) throw deadlineError(last, { call, attempts: attempts - 1, now: now() });
      const outcome = await attempt(call, attempts);
      if (isSuccess(outcome)) return outcome;

      const ending = { call, attempts, now: now() };
      last = errorOf(outcome, ending);
      if (attempts === maxAttempts || !mayPass(call, outcome)) throw last;
      const waitMs = Math.max(
        backoffMs(attempts, options.random),
        retryAfterMs(outcome.retryAfter, outcome.date, now()),
      );
      if (waitMs >= remaining()) throw deadlineError(last, ending);
      await sleep(waitMs);
    }
  };

  return { send, pause: (milliseconds) => sleep(Math.max(0, Math.min(milliseconds, remaining()))) };
}

function headersOf(call: Call, { userAgent, requestReason }: TransportOptions): Readonly<Record<string, string>> {
  const headers = { ...call.headers, Accept: 'application/json', 'User-Agent': userAgent };
  // The issuer of the job's token is no service of the cloud, and the reason none of its business.
  if (call.service === 'oidc' || requestReason === undefined) return headers;
  return { ...headers, 'X-Goog-Request-Reason': headerText(requestReason) };
}

function isSuccess(outcome: Answer | Failure): outcome is Answer {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}

function errorOf(outcome: Answer | Failure, ending: Ending): AppError {
  return 'reason' in outcome ? failedError(outcome, ending) : refusedError(outcome, ending);
}

// Minting a token twice does no harm, so that a POST may be repeated like a GET.
function mayPass(call: Call, outcome: Answer | Failure): boolean {
  if ('reason' in outcome) return outcome.isPassing;
  return isPassingStatus(outcome.status) || (call.service === 'oidc' && isPending(outcome));
}

// The issuer refuses for a moment while the job is still being registered with it.
function isPending({ status, body }: Answer): boolean {
  if (status !== 403) return false;
  const description = readRefusal(body, []).description ?? '';
  return /\b(?:pending|delayed)\b/i.test(description);
}
