import { AppError, type ErrorCode } from '@weir/errors';
import type { Answer, Call, Failure } from './call';
import { withClock } from './clock-skew';
import { readRefusal } from './refusal';

/** What became of a call in the end. */
export interface Ending {
  readonly call: Call;
  readonly attempts: number;
  readonly now: number;
}

/** The service said no, or said "later" once too often. Reason `<service>_refused`. */
export function refusedError(answer: Answer, ending: Ending): AppError {
  const { call } = ending;
  const refusal = readRefusal(answer.body, call.secrets);
  const reason = refusal.googleReason === undefined ? '' : ` (${refusal.googleReason})`;
  const text = refusal.description === undefined ? '.' : `: "${refusal.description}"`;
  const details = { ...detailsOf(ending), status: answer.status, ...given(refusal) };
  const message = `${call.url.host} answered the ${call.kind} with status ${answer.status}${reason}${text}`;
  return new AppError(codeOfStatus(answer.status), message, {
    reason: `${call.service}_refused`,
    details: withClock(details, answer.date, ending.now),
  });
}

/** No answer came. The reason is that of the failure. */
export function failedError(failure: Failure, ending: Ending): AppError {
  const { host } = ending.call.url;
  const messages = {
    network_unreachable: `${host} could not be reached for the ${ending.call.kind}: ${failure.description}.`,
    proxy_failed: `The proxy did not open a connection to ${host} for the ${ending.call.kind}: ${failure.description}.`,
    answer_malformed: `The answer of ${host} to the ${ending.call.kind} could not be read: ${failure.description}.`,
    tls_failed: `No trusted TLS connection to ${host} for the ${ending.call.kind}: ${failure.description}. ${tlsHint(failure)}`,
  };
  return new AppError(failure.isTimeout ? 'upstream_timeout' : 'upstream_failed', messages[failure.reason], {
    reason: failure.reason,
    details: { ...detailsOf(ending), description: failure.description },
    cause: failure.cause,
  });
}

/** The deadline of the whole action leaves no time for another attempt. The last failure, if any, is the cause. */
export function deadlineError(last: AppError | undefined, ending: Ending): AppError {
  const { call, attempts } = ending;
  const after = attempts === 0 ? 'before it was tried' : `after ${attempts} attempt${attempts === 1 ? '' : 's'}`;
  const cause = last === undefined ? '' : ` ${last.message}`;
  const lastReason = last?.reason;
  return new AppError('upstream_timeout', `The time for the ${call.kind} ran out ${after}.${cause}`, {
    reason: 'deadline_passed',
    details: { ...last?.details, ...detailsOf(ending), ...given({ lastReason }) },
    ...(last !== undefined && { cause: last }),
  });
}

/** A success whose body does not hold what it must. */
export function malformedError(call: Call, what: string): AppError {
  return new AppError('upstream_failed', `The answer of ${call.url.host} to the ${call.kind} ${what}.`, {
    reason: 'answer_malformed',
    details: { service: call.service, kind: call.kind },
  });
}

function detailsOf({ call, attempts }: Ending) {
  return { service: call.service, kind: call.kind, attempts };
}

function tlsHint({ description }: Failure): string {
  return /EXPIRED|NOT_YET_VALID/.test(description)
    ? 'Check the clock of the runner and the certificate.'
    : 'Where a proxy or a private authority signs the certificates, name its certificate file in NODE_EXTRA_CA_CERTS.';
}

function codeOfStatus(status: number): ErrorCode {
  const codes: Readonly<Partial<Record<number, ErrorCode>>> = {
    401: 'unauthenticated',
    403: 'forbidden',
    404: 'not_found',
    429: 'rate_limited',
    504: 'upstream_timeout',
  };
  return codes[status] ?? 'upstream_failed';
}

function given(values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
