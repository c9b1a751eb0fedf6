import { AppError } from '@weir/errors';
import type { Access } from '@weir/http-contract';
import { addRequestDetails, type AccessGuard } from '@weir/service-kit';
import type { Request } from 'express';
import { createKeyCheck, hashKey, readKey } from './keys';

interface RequestHeaders {
  readonly idempotencyKey: string | undefined;
  readonly accept: string;
}

export type Caller<Session> = RequestHeaders &
  (
    | { readonly kind: 'admin' }
    | { readonly kind: 'session'; readonly session: Session }
    | { readonly kind: 'anonymous' }
  );

/** Returns the session of the key of a model call. Throws `unauthenticated`, or `forbidden` for the admin key. */
export type SessionGuard<Session> = (req: Request) => Session;

export interface Authenticator<Session> {
  /** For control operations. */
  readonly guard: AccessGuard<Caller<Session>>;
  /** For the routes of the model protocols. */
  readonly sessionGuard: SessionGuard<Session>;
  readonly isAdminKey: (key: string) => boolean;
}

export interface AuthenticatorOptions<Session> {
  readonly adminKey: string;
  readonly findSession: (keyHash: string) => Session | undefined;
  readonly sessionIdFrom: (session: Session) => string;
}

const idempotencyKeyForm = /^[\x21-\x7e]{1,255}$/;

/** Distinguishes the two kinds of keys in the same way for every route. */
export function createAuthenticator<Session>(options: AuthenticatorOptions<Session>): Authenticator<Session> {
  const isAdminKey = createKeyCheck(options.adminKey);

  const identify = (req: Request): { kind: 'admin' } | { kind: 'session'; session: Session } => {
    const key = readKey(req);
    if (key === undefined) {
      throw new AppError(
        'unauthenticated',
        'Send a key, as "Authorization: Bearer <key>" or in the header "x-api-key".',
        { reason: 'key_missing' },
      );
    }
    if (isAdminKey(key)) return { kind: 'admin' };
    const session = options.findSession(hashKey(key));
    if (session === undefined)
      throw new AppError('unauthenticated', 'The key is not known.', { reason: 'key_unknown' });
    addRequestDetails(req, { principalId: options.sessionIdFrom(session) });
    return { kind: 'session', session };
  };

  return {
    isAdminKey,
    guard: (req, access) =>
      // Inside a promise, so that exceptions reject it.
      Promise.resolve().then(() => {
        if (access === 'public') return { kind: 'anonymous', ...readHeaders(req) };
        const caller = identify(req);
        assertKind(caller.kind, access);
        return { ...caller, ...readHeaders(req) };
      }),
    sessionGuard: (req) => {
      const caller = identify(req);
      if (caller.kind === 'session') return caller.session;
      throw wrongKind('session');
    },
  };
}

function assertKind(kind: 'admin' | 'session', access: Exclude<Access, 'public'>): void {
  if (access !== 'authenticated' && !access.includes(kind)) throw wrongKind(kind === 'admin' ? 'session' : 'admin');
}

function wrongKind(needed: 'admin' | 'session'): AppError {
  return new AppError('forbidden', `This operation needs the ${needed} key.`, { reason: 'key_kind_wrong' });
}

function readHeaders(req: Request): RequestHeaders {
  const idempotencyKey = req.get('idempotency-key')?.trim();
  if (idempotencyKey !== undefined && !idempotencyKeyForm.test(idempotencyKey)) {
    throw new AppError('invalid_request', 'The header "Idempotency-Key" must have 1 to 255 printable characters.', {
      reason: 'idempotency_key_invalid',
    });
  }
  return { idempotencyKey, accept: req.get('accept') ?? '' };
}
