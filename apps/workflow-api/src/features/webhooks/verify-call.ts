import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookVerification } from '@weir/workflow-contract/schemas';

/** The parts of a call by which its sender proves itself. */
export interface SignedCall {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes that were signed. */
  readonly body: Uint8Array;
  /** The parsed body. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** The facts about a call whose sender has proved itself. */
export interface VerifiedCall {
  readonly deliveryId?: string | undefined;
  /** The key is the same for each repetition of the call; a signature, if any, covers it. */
  readonly replayKey: string;
}

export type RefusalReason =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_wrong'
  | 'timestamp_missing'
  | 'timestamp_off'
  | 'delivery_id_missing';

export type Verdict = VerifiedCall | { readonly refusal: RefusalReason };

type Style = WebhookVerification['style'];
interface Question {
  readonly settings: WebhookVerification;
  readonly secret: string;
  readonly call: SignedCall;
  readonly now: Date;
}
type Verify = (question: Question) => Verdict;

const defaultToleranceSeconds = 300;

const verifiers: Readonly<Record<Exclude<Style, 'token'>, Verify>> = {
  github: ({ secret, call }) => {
    const signature = header(call, 'x-hub-signature-256');
    if (signature === undefined) return { refusal: 'signature_missing' };
    const expected = `sha256=${sign(secret, [call.body])}`;
    if (!isSame(signature, expected)) return { refusal: 'signature_wrong' };
    // The header with the id is not signed, so repetitions are recognised by the body.
    return { deliveryId: header(call, 'x-github-delivery'), replayKey: bodyKey(call) };
  },

  gitlab: ({ secret, call }) => {
    const token = header(call, 'x-gitlab-token');
    if (token === undefined) return { refusal: 'signature_missing' };
    if (!isSame(token, secret)) return { refusal: 'signature_wrong' };
    const deliveryId = header(call, 'idempotency-key') ?? header(call, 'x-gitlab-event-uuid');
    return { deliveryId, replayKey: deliveryId ?? bodyKey(call) };
  },

  standard: ({ settings, secret, call, now }) => {
    const [id, time, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      header(call, name),
    );
    if (given === undefined) return { refusal: 'signature_missing' };
    if (id === undefined) return { refusal: 'delivery_id_missing' };
    const refusal = timeRefusal(time, settings, now);
    if (refusal !== undefined) return { refusal };
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const expected = sign(key, [`${id}.${time ?? ''}.`, call.body], 'sha256', 'base64');
    const candidates = given.split(' ').filter((each) => each.startsWith('v1,'));
    if (candidates.length === 0) return { refusal: 'signature_malformed' };
    return hasSame(candidates, `v1,${expected}`) ? { deliveryId: id, replayKey: id } : { refusal: 'signature_wrong' };
  },

  stripe: ({ settings, secret, call, now }) => {
    const given = header(call, 'stripe-signature');
    if (given === undefined) return { refusal: 'signature_missing' };
    const pairs = given.split(',').map((pair) => pair.trim().split('='));
    const time = pairs.find(([name]) => name === 't')?.[1];
    const candidates = pairs.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : []));
    if (candidates.length === 0) return { refusal: 'signature_malformed' };
    const refusal = timeRefusal(time, settings, now);
    if (refusal !== undefined) return { refusal };
    if (!hasSame(candidates, sign(secret, [`${time ?? ''}.`, call.body]))) return { refusal: 'signature_wrong' };
    // Stripe signs a repeated event again, but keeps its id.
    const { id } = call.json;
    const deliveryId = typeof id === 'string' && id !== '' ? id : undefined;
    return { deliveryId, replayKey: deliveryId ?? bodyKey(call) };
  },

  hmac: ({ settings, secret, call, now }) => {
    const { header: name = 'X-Signature-256', prefix = 'sha256=', timestampHeader, deliveryHeader } = settings;
    const given = header(call, name);
    if (given === undefined) return { refusal: 'signature_missing' };
    const deliveryId = deliveryHeader === undefined ? undefined : header(call, deliveryHeader);
    if (deliveryHeader !== undefined && deliveryId === undefined) return { refusal: 'delivery_id_missing' };
    const time = timestampHeader === undefined ? undefined : header(call, timestampHeader);
    const refusal = timestampHeader === undefined ? undefined : timeRefusal(time, settings, now);
    if (refusal !== undefined) return { refusal };
    const parts = [deliveryId, time].flatMap((part) => (part === undefined ? [] : [`${part}.`]));
    const profile = findProfile(call.headers);
    const before = [...(profile === undefined ? [] : [`${profile.header}:${profile.name}\n`]), ...parts].join('');
    const { algorithm = 'sha256', encoding = 'hex' } = settings;
    const expected = sign(secret, [before, call.body], algorithm, encoding);
    if (!isSame(given, `${prefix}${expected}`)) return { refusal: 'signature_wrong' };
    return { deliveryId, replayKey: deliveryId ?? digest(Buffer.concat([Buffer.from(before), call.body])) };
  },
};

/** Verifies that a call was signed with the secret; compares in constant time. Not for the style `token`. */
export function verifyCall(style: Exclude<Style, 'token'>, question: Question): Verdict {
  return verifiers[style](question);
}

/** The runtime profile that a call names, and the header that names it, in lower case. */
export function findProfile(headers: SignedCall['headers']): { header: string; name: string } | undefined {
  for (const header of ['x-weir-profile', 'x-dagu-profile']) {
    const name = headers[header];
    if (typeof name === 'string' && name !== '') return { header, name };
  }
  return undefined;
}

function header({ headers }: SignedCall, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function sign(
  key: string | Uint8Array,
  parts: readonly (string | Uint8Array)[],
  algorithm: 'sha256' | 'sha512' = 'sha256',
  encoding: 'hex' | 'base64' = 'hex',
): string {
  const hmac = createHmac(algorithm, key);
  for (const part of parts) hmac.update(part);
  return hmac.digest(encoding);
}

/** The time is signed as it was sent, in seconds since 1970. */
function timeRefusal(
  time: string | undefined,
  { toleranceSeconds = defaultToleranceSeconds }: WebhookVerification,
  now: Date,
): RefusalReason | undefined {
  if (time === undefined || !/^\d{1,12}$/.test(time)) return 'timestamp_missing';
  return Math.abs(now.getTime() / 1000 - Number(time)) > toleranceSeconds ? 'timestamp_off' : undefined;
}

/** Takes the same time for all texts of the same length, even if a part of one is right. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(expected)));
}

/** Compares with all candidates, so that the time does not reveal which is right. */
function hasSame(candidates: readonly string[], expected: string): boolean {
  return candidates.filter((candidate) => isSame(candidate, expected)).length > 0;
}

const bodyKey = ({ body }: SignedCall): string => digest(body);

function digest(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
