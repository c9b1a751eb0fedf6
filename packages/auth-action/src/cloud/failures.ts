import type { Answer, Failure, FailureReason } from './call';

/** Thrown while an answer is read that is longer than any token answer can be. */
export class OversizedAnswer extends Error {}

export interface AttemptState {
  readonly signal: AbortSignal;
  /** Whether a proxy was asked for a tunnel and has not opened it yet. */
  readonly isTunnelling: boolean;
}

const passingCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);

const tlsCode =
  /^(?:CERT_|ERR_SSL_|ERR_TLS_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$)/;

/** What kind of failure an error of the network stack is, and whether it may pass by itself. */
export function classifyFailure(cause: unknown, state: AttemptState): Failure {
  const reason = state.isTunnelling ? 'proxy_failed' : 'network_unreachable';
  if (state.signal.aborted)
    return failure(reason, cause, { isPassing: true, isTimeout: true, description: 'no answer in time' });
  if (cause instanceof OversizedAnswer) return failure('answer_malformed', cause, { description: cause.message });

  const code = codeOf(cause);
  if (tlsCode.test(code)) return failure('tls_failed', cause, { description: code });
  if (code.startsWith('HPE_')) return failure('answer_malformed', cause, { description: code });
  // A proxy that hangs up without a word gives an error without a code.
  const isCut = state.isTunnelling && code === '';
  return failure(reason, cause, {
    isPassing: isCut || passingCodes.has(code),
    description: code || 'connection closed',
  });
}

/** The proxy answered the request for a tunnel with this status instead of opening it. */
export function refusedTunnel(status: number, { retryAfter, date }: Answer): Failure {
  return failure('proxy_failed', undefined, {
    isPassing: isPassingStatus(status),
    description: `status ${status} of the proxy`,
    retryAfter,
    date,
  });
}

/** Whether a status says "later" rather than "no". */
export function isPassingStatus(status: number): boolean {
  return [408, 429, 500, 502, 503, 504].includes(status);
}

function failure(
  reason: FailureReason,
  cause: unknown,
  rest: Partial<Failure> & Pick<Failure, 'description'>,
): Failure {
  return { isPassing: false, isTimeout: false, retryAfter: undefined, date: undefined, ...rest, reason, cause };
}

function codeOf(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
