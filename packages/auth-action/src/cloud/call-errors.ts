import { AppError, type ErrorCode } from '@weir/foundation';
import type { ServiceResponse, ServiceCall, CallFailure } from './service-call';
import { withClockSkew } from './clock-skew';
import { refusalReason } from './refusal-reason';
import { readServiceError } from './service-error';

/** The call that failed, when, and after how many attempts. */
export interface CallContext {
  readonly call: ServiceCall;
  readonly attempts: number;
  readonly now: number;
}

/** Creates the error for a response with an error status. The reason is one of `refusalReasons`. */
export function refusedError(response: ServiceResponse, context: CallContext): AppError {
  const { call } = context;
  const refusal = readServiceError(response.body, call.secrets);
  const reason = refusal.googleReason === undefined ? '' : ` (${refusal.googleReason})`;
  const text = refusal.description === undefined ? '.' : `: "${refusal.description}"`;
  const details = { ...toDetails(context), status: response.status, ...withoutUndefined(refusal) };
  const message = `${call.url.host} rejected the ${call.kind} with status ${response.status}${reason}${text}`;
  return new AppError(toErrorCode(response.status), message, {
    reason: refusalReason(call.service, response.status, refusal),
    details: withClockSkew(details, response.date, context.now),
  });
}

/** Creates the error for a call without a response. The reason is that of the failure. */
export function failedError(failure: CallFailure, context: CallContext): AppError {
  const { host } = context.call.url;
  const messages = {
    network_unreachable: `${host} could not be reached for the ${context.call.kind}: ${failure.description}.`,
    proxy_failed: `The proxy did not open a connection to ${host} for the ${context.call.kind}: ${failure.description}.`,
    answer_malformed: `The response of ${host} to the ${context.call.kind} could not be read: ${failure.description}.`,
    tls_failed: `No trusted TLS connection to ${host} for the ${context.call.kind}: ${failure.description}. ${tlsHint(failure)}`,
  };
  return new AppError(failure.isTimeout ? 'upstream_timeout' : 'upstream_failed', messages[failure.reason], {
    reason: failure.reason,
    details: { ...toDetails(context), description: failure.description },
    cause: failure.cause,
  });
}

/** Creates the error for a deadline that leaves no time for another attempt. The last failure, if any, is the cause. */
export function deadlineError(lastError: AppError | undefined, context: CallContext): AppError {
  const { call, attempts } = context;
  const after = attempts === 0 ? 'before the first attempt' : `after ${attempts} attempt${attempts === 1 ? '' : 's'}`;
  const cause = lastError === undefined ? '' : ` ${lastError.message}`;
  const lastReason = lastError?.reason;
  return new AppError('upstream_timeout', `The ${call.kind} timed out ${after}.${cause}`, {
    reason: 'deadline_passed',
    details: { ...lastError?.details, ...toDetails(context), ...withoutUndefined({ lastReason }) },
    ...(lastError !== undefined && { cause: lastError }),
  });
}

/** Creates the error for a successful response without the expected fields. */
export function malformedError(call: ServiceCall, what: string): AppError {
  return new AppError('upstream_failed', `The response of ${call.url.host} to the ${call.kind} ${what}.`, {
    reason: 'answer_malformed',
    details: { service: call.service, kind: call.kind },
  });
}

function toDetails({ call, attempts }: CallContext) {
  return { service: call.service, kind: call.kind, attempts };
}

function tlsHint({ description }: CallFailure): string {
  return /EXPIRED|NOT_YET_VALID/.test(description)
    ? 'Check the clock of the runner and the certificate.'
    : 'If a proxy or a private certificate authority signs the certificates, set NODE_EXTRA_CA_CERTS to the file of its certificate.';
}

function toErrorCode(status: number): ErrorCode {
  const codes: Readonly<Partial<Record<number, ErrorCode>>> = {
    401: 'unauthenticated',
    403: 'forbidden',
    404: 'not_found',
    429: 'rate_limited',
    504: 'upstream_timeout',
  };
  return codes[status] ?? 'upstream_failed';
}

function withoutUndefined(values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
