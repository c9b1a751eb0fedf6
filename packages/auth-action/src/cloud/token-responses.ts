import { parseJsonObject } from '../runner/json-object';
import type { ServiceResponse, ServiceCall } from './service-call';
import { malformedError } from './call-errors';

/** Fails with `answer_malformed` if the field contains no token. */
export function readToken(call: ServiceCall, response: ServiceResponse, field: string): string {
  const token = parseJsonObject(response.body)?.[field];
  if (typeof token === 'string' && /^[\u0021-\u007e]+$/.test(token)) return token;
  throw malformedError(call, `has no token in "${field}"`);
}

/** The expiry from `expires_in` (OAuth), relative to the time of the response. */
export function readExpiresIn(call: ServiceCall, response: ServiceResponse, receivedAt: number): Date | undefined {
  const seconds = parseJsonObject(response.body)?.expires_in;
  if (seconds === undefined) return undefined;
  if (typeof seconds === 'number' && seconds >= 0) return parseTime(call, receivedAt + seconds * 1000, 'expires_in');
  throw malformedError(call, 'has no number of seconds in "expires_in"');
}

/** The expiry from `expireTime` (IAM). */
export function readExpireTime(call: ServiceCall, response: ServiceResponse): Date | undefined {
  const time = parseJsonObject(response.body)?.expireTime;
  if (time === undefined) return undefined;
  return parseTime(call, typeof time === 'string' ? time : '', 'expireTime');
}

function parseTime(call: ServiceCall, moment: string | number, field: string): Date {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) throw malformedError(call, `has no time in "${field}"`);
  return date;
}
