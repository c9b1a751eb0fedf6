import { AppError } from '@weir/foundation';
import type { Secret } from '@weir/service-kit';
import jwt from 'jsonwebtoken';
import type { Clock } from '@weir/workflow-engine/model';

export const tokenRules = { algorithm: 'HS256', issuer: 'weir', audience: 'weir-workflow-api' } as const;

/** The content of a token. Role and rights are never taken from it. */
export interface TokenSubject {
  readonly userId: string;
  readonly username: string;
  readonly role: string;
  /** The user's token version when the token was signed; a later version ends the token. */
  readonly tokenVersion: number;
}

export interface SignedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface TokenSigner {
  sign(subject: TokenSubject): SignedToken;
}

export interface TokenSignerOptions {
  readonly secret: Secret;
  readonly lifetimeSeconds: number;
  readonly clock: Clock;
}

export function createTokenSigner({ secret, lifetimeSeconds, clock }: TokenSignerOptions): TokenSigner {
  return {
    sign: ({ userId, username, role, tokenVersion }) => {
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      const expiresAt = issuedAt + lifetimeSeconds;
      const claims = { iat: issuedAt, exp: expiresAt, uid: userId, username, role, ver: tokenVersion };
      try {
        const token = jwt.sign(claims, secret.reveal(), { ...tokenRules, subject: userId });
        return { token, expiresAt: new Date(expiresAt * 1000) };
      } catch (cause) {
        throw new AppError('internal', 'The token could not be signed.', { cause });
      }
    },
  };
}
