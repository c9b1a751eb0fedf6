import type { Answer, Call } from './call';
import { malformedError } from './call-errors';
import { parseObject } from './refusal';

/** A token in the field of this name. Fails with `answer_malformed` where there is none. */
export function readToken(call: Call, answer: Answer, field: string): string {
  const token = parseObject(answer.body)[field];
  if (typeof token === 'string' && /^[\u0021-\u007e]+$/.test(token)) return token;
  throw malformedError(call, `has no token in "${field}"`);
}

/** When a token ends by `expires_in`, in seconds from its arrival, as OAuth has it; undefined where it is not said. */
export function readExpiresIn(call: Call, answer: Answer, receivedAt: number): Date | undefined {
  const seconds = parseObject(answer.body).expires_in;
  if (seconds === undefined) return undefined;
  if (typeof seconds === 'number' && seconds >= 0)
    return checkedMoment(call, receivedAt + seconds * 1000, 'expires_in');
  throw malformedError(call, 'has no number of seconds in "expires_in"');
}

/** When a token ends by `expireTime`, a moment as IAM has it; undefined where it is not said. */
export function readExpireTime(call: Call, answer: Answer): Date | undefined {
  const time = parseObject(answer.body).expireTime;
  if (time === undefined) return undefined;
  return checkedMoment(call, typeof time === 'string' ? time : '', 'expireTime');
}

function checkedMoment(call: Call, moment: string | number, field: string): Date {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) throw malformedError(call, `has no time in "${field}"`);
  return date;
}
