import { createSign } from 'node:crypto';
import type { ServiceAccountKey } from '../settings';

type Claims = Readonly<Record<string, unknown>>;

// A clock that is a little ahead would make the assertion look issued in the future.
const backdatedSeconds = 30;
const maxAgeSeconds = 3600;

/** A JSON web token of these claims, signed with the key (RS256). The token is a secret: hide it before it is used. */
export function signAssertion(key: Pick<ServiceAccountKey, 'privateKey' | 'privateKeyId'>, claims: Claims): string {
  const header = { alg: 'RS256', typ: 'JWT', kid: key.privateKeyId };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key.privateKey, 'base64url')}`;
}

export interface SelfSignedOptions {
  readonly clientEmail: string;
  readonly universe: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Claims with which a key's own signature is a bearer for the IAM credentials service. */
export function selfSignedClaims({ clientEmail, universe, now }: SelfSignedOptions): Claims {
  const iat = issuedAt(now);
  const aud = `https://iamcredentials.${universe}/`;
  return { iss: clientEmail, sub: clientEmail, aud, iat, exp: iat + maxAgeSeconds };
}

export interface DelegationOptions {
  readonly serviceAccount: string;
  /** The user to act as. */
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly lifetimeSeconds: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Claims that ask for an access token of a user of the account's domain. Never valid for more than an hour. */
export function delegationClaims(options: DelegationOptions): Claims {
  const { serviceAccount, subject, scopes, lifetimeSeconds, now } = options;
  const iat = issuedAt(now);
  const exp = Math.min(iat + backdatedSeconds + lifetimeSeconds, iat + maxAgeSeconds);
  return {
    iss: serviceAccount,
    sub: subject,
    // Users with this kind of delegation exist in the first universe alone.
    aud: 'https://oauth2.googleapis.com/token',
    scope: scopes.join(' '),
    iat,
    exp,
  };
}

function issuedAt(now: number): number {
  return Math.floor(now / 1000) - backdatedSeconds;
}
