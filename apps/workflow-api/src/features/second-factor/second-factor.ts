import { createHash, timingSafeEqual } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Sealed } from '../../encryption';

/** The authenticator of a person, who signs in with a password and one of its codes. */
export interface SecondFactor {
  readonly userId: string;
  readonly sealed: Sealed;
  /** Missing until a code has shown that the authenticator is set up; until then sign-in needs no code. */
  readonly confirmedAt: Date | undefined;
  /** Number of the latest period whose code was used. */
  readonly lastStep: number;
  readonly recoveryDigests: readonly string[];
  /** The number of wrong codes since `wrongSince`. */
  readonly wrongCodes: number;
  readonly wrongSince: Date | undefined;
  readonly revision: number;
  readonly createdAt: Date;
}

const secretBytes = 20;
const recoveryCodeCount = 10;
const recoveryCodeBytes = 10;
/** The clock of an authenticator may differ by this many periods of 30 s. */
const clockSkew = 1;
const maxWrongCodes = 10;
const wrongWindowMs = 15 * 60 * 1000;

/** The context with which the secret is encrypted. */
export const secondFactorContext = (userId: string): string => `second factor ${userId}`;

/** Creates a shared secret in base32 from random `bytes`. */
export function newSharedSecret(bytes: (size: number) => Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(bytes(secretBytes)).buffer }).base32;
}

/** Returns the address that authenticators read from a QR code. */
export function authenticatorAddress(secret: string, username: string): string {
  return authenticator(secret, username).toString();
}

/** Creates recovery codes of 80 random bits, written in groups. */
export function newRecoveryCodes(bytes: (size: number) => Uint8Array): readonly string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const { base32 } = new Secret({ buffer: Uint8Array.from(bytes(recoveryCodeBytes)).buffer });
    return base32.toLowerCase().replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** The digest depends on the user, so that the digest of another user is no answer. */
export function digestRecoveryCode(userId: string, code: string): string {
  return createHash('sha256')
    .update(`${userId}\n${normalise(code)}`)
    .digest('hex');
}

/** Returns the factor after the use of this code; `undefined` where the code is wrong or was used before. */
export function useCode(factor: SecondFactor, secret: string, code: string, now: Date): SecondFactor | undefined {
  const used = /^\d{6}$/.test(normalise(code)) ? useDigits(factor, secret, code, now) : useRecoveryCode(factor, code);
  return used && { ...used, wrongCodes: 0, wrongSince: undefined };
}

function useDigits(factor: SecondFactor, secret: string, code: string, now: Date): SecondFactor | undefined {
  const totp = authenticator(secret, '');
  const timestamp = now.getTime();
  const delta = totp.validate({ token: normalise(code), timestamp, window: clockSkew });
  if (delta === null) return undefined;
  const step = totp.counter({ timestamp }) + delta;
  return step > factor.lastStep ? { ...factor, lastStep: step } : undefined;
}

function useRecoveryCode(factor: SecondFactor, code: string): SecondFactor | undefined {
  const digest = digestRecoveryCode(factor.userId, code);
  const rest = factor.recoveryDigests.filter((one) => !timingSafeEqual(Buffer.from(one), Buffer.from(digest)));
  return rest.length === factor.recoveryDigests.length ? undefined : { ...factor, recoveryDigests: rest };
}

/** Returns the factor after a wrong code. */
export function noteWrongCode(factor: SecondFactor, now: Date): SecondFactor {
  const isNewWindow = factor.wrongSince === undefined || now.getTime() - factor.wrongSince.getTime() >= wrongWindowMs;
  return isNewWindow ? { ...factor, wrongCodes: 1, wrongSince: now } : { ...factor, wrongCodes: factor.wrongCodes + 1 };
}

/** Returns the seconds until another code is accepted; 0 where it is accepted now. */
export function secondsUntilNextCode({ wrongCodes, wrongSince }: SecondFactor, now: Date): number {
  if (wrongCodes < maxWrongCodes || wrongSince === undefined) return 0;
  return Math.max(0, (wrongSince.getTime() + wrongWindowMs - now.getTime()) / 1000);
}

function authenticator(secret: string, label: string): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), issuer: 'Weir', label, digits: 6, period: 30 });
}

function normalise(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}
