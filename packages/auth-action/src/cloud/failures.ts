import { systemErrorCode } from '@weir/foundation';
import type { ServiceResponse, CallFailure, CallFailureReason } from './service-call';

/** Thrown for a response body that is larger than any token response. */
export class OversizedResponse extends Error {}

export interface AttemptState {
  readonly signal: AbortSignal;
  /** Whether a CONNECT request to a proxy is pending. */
  readonly isTunnelling: boolean;
}

const transientCodes = new Set([
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

/** Classifies an error of the network stack and decides whether it is transient. */
export function classifyFailure(cause: unknown, state: AttemptState): CallFailure {
  const reason = state.isTunnelling ? 'proxy_failed' : 'network_unreachable';
  if (state.signal.aborted)
    return createFailure(reason, cause, { isTransient: true, isTimeout: true, description: 'no response in time' });
  if (cause instanceof OversizedResponse)
    return createFailure('answer_malformed', cause, { description: cause.message });

  const code = systemErrorCode(cause) ?? '';
  if (tlsCode.test(code)) return createFailure('tls_failed', cause, { description: code });
  if (code.startsWith('HPE_')) return createFailure('answer_malformed', cause, { description: code });
  // A proxy that closes the connection without a response causes an error without a code.
  const isConnectionCut = state.isTunnelling && code === '';
  return createFailure(reason, cause, {
    isTransient: isConnectionCut || transientCodes.has(code),
    description: code || 'connection closed',
  });
}

/** The failure of a proxy that answered CONNECT with an error status. */
export function refusedTunnel(status: number, { retryAfter, date }: ServiceResponse): CallFailure {
  return createFailure('proxy_failed', undefined, {
    isTransient: isTransientStatus(status),
    description: `status ${status} from the proxy`,
    retryAfter,
    date,
  });
}

export function isTransientStatus(status: number): boolean {
  return [408, 429, 500, 502, 503, 504].includes(status);
}

function createFailure(
  reason: CallFailureReason,
  cause: unknown,
  rest: Partial<CallFailure> & Pick<CallFailure, 'description'>,
): CallFailure {
  return { isTransient: false, isTimeout: false, retryAfter: undefined, date: undefined, ...rest, reason, cause };
}
