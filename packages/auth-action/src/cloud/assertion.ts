import { sign, type KeyObject } from 'node:crypto';
import { keyUnusableError } from '../inputs/key';
import type { ServiceAccountKey } from '../inputs/settings';

type Claims = Readonly<Record<string, unknown>>;

// The clock of the runner may be slightly ahead, and services refuse an assertion that was issued in the future.
const backdatedSeconds = 30;
const maxAgeSeconds = 3600;

/**
 * Signs a JWT with the key (RS256). The result is a secret: mask it before using it. Fails with `key_unusable` if the
 * key cannot sign.
 */
export function signAssertion(key: Pick<ServiceAccountKey, 'privateKey' | 'privateKeyId'>, claims: Claims): string {
  const header = { alg: 'RS256', typ: 'JWT', kid: key.privateKeyId };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${signText(signed, key.privateKey).toString('base64url')}`;
}

function signText(text: string, key: KeyObject): Buffer {
  try {
    return sign('RSA-SHA256', Buffer.from(text), key);
  } catch {
    // There is no cause: the message of the library may quote the key.
    throw keyUnusableError();
  }
}

export interface SelfSignedOptions {
  readonly clientEmail: string;
  readonly universe: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Claims of a self-signed JWT that the IAM Service Account Credentials API accepts as a bearer token. */
export function selfSignedClaims({ clientEmail, universe, now }: SelfSignedOptions): Claims {
  const iat = issuedAt(now);
  const aud = `https://iamcredentials.${universe}/`;
  return { iss: clientEmail, sub: clientEmail, aud, iat, exp: iat + maxAgeSeconds };
}

export interface DelegationOptions {
  readonly serviceAccount: string;
  /** The user to impersonate. */
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly lifetimeSeconds: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Claims of an assertion for domain-wide delegation. Valid for at most an hour. */
export function delegationClaims(options: DelegationOptions): Claims {
  const { serviceAccount, subject, scopes, lifetimeSeconds, now } = options;
  const iat = issuedAt(now);
  const exp = Math.min(iat + backdatedSeconds + lifetimeSeconds, iat + maxAgeSeconds);
  return {
    iss: serviceAccount,
    sub: subject,
    // Domain-wide delegation exists in the default universe only.
    aud: 'https://oauth2.googleapis.com/token',
    scope: scopes.join(' '),
    iat,
    exp,
  };
}

function issuedAt(now: number): number {
  return Math.floor(now / 1000) - backdatedSeconds;
}
