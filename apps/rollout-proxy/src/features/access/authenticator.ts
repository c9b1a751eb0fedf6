import { AppError } from '@weir/foundation';
import type { Access } from '@weir/http-contract';
import { keyKinds, type KeyKind } from '@weir/rollout-contract';
import { addRequestDetails, readCookie, type AccessGuard } from '@weir/service-kit';
import type { Request } from 'express';
import { keyMissing, keyUnknown, wrongKind } from './access-errors';
import { sessionCookieName, type BrowserSessions } from './browser-sessions';
import { createKeyCheck, hashKey, readKey } from './keys';

interface RequestHeaders {
  readonly idempotencyKey: string | undefined;
  readonly accept: string;
  /** The token in the cookie, whether it is valid or not. */
  readonly browserToken: string | undefined;
  /** Whether another replica of the proxy has sent it, to be answered by this one alone. */
  readonly isFromReplica: boolean;
}

type Identity<Session> =
  { readonly kind: 'admin' } | { readonly kind: 'reader' } | { readonly kind: 'session'; readonly session: Session };

export type Caller<Session> = RequestHeaders & (Identity<Session> | { readonly kind: 'anonymous' });

/** Returns the session of the key of a model call. Throws `unauthenticated`, or `forbidden` for another kind of key. */
export type SessionGuard<Session> = (req: Request) => Session;

export interface Authenticator<Session> {
  /** Guards control operations. */
  readonly guard: AccessGuard<Caller<Session>>;
  /** Guards the routes of the model protocols. */
  readonly sessionGuard: SessionGuard<Session>;
  /** Whether it is the admin key or the read-only key. */
  readonly mayRead: (key: string) => boolean;
  /** Whether a request comes from a browser that has signed in. */
  readonly isBrowser: (req: Request) => boolean;
}

export interface AuthenticatorOptions<Session> {
  readonly adminKey: string;
  /** `undefined` if no such key is configured. */
  readonly readKey: string | undefined;
  readonly browserSessions: BrowserSessions;
  readonly findSession: (keyHash: string) => Session | undefined;
  readonly sessionIdFrom: (session: Session) => string;
}

const fromReplicas = new WeakSet<Request>();

/** Marks a request whose signature was verified. */
export function markReplicaRequest(req: Request): void {
  fromReplicas.add(req);
}

const idempotencyKeyForm = /^[\x21-\x7e]{1,255}$/;

/** Distinguishes the kinds of keys in the same way for every route. A key counts more than the cookie of a browser. */
export function createAuthenticator<Session>(options: AuthenticatorOptions<Session>): Authenticator<Session> {
  const { browserSessions } = options;
  const isAdminKey = createKeyCheck(options.adminKey);
  const isReadKey = options.readKey === undefined ? () => false : createKeyCheck(options.readKey);

  const identifyKey = (req: Request, key: string): Identity<Session> => {
    const keyHash = hashKey(key);
    if (isAdminKey(keyHash)) return { kind: 'admin' };
    if (isReadKey(keyHash)) return { kind: 'reader' };
    const session = options.findSession(keyHash);
    if (session === undefined) throw keyUnknown();
    addRequestDetails(req, { principalId: options.sessionIdFrom(session) });
    return { kind: 'session', session };
  };
  const isBrowser = (req: Request): boolean => browserSessions.isOpen(readCookie(req, sessionCookieName));
  const identify = (req: Request): Identity<Session> => {
    const key = readKey(req);
    if (key !== undefined) return identifyKey(req, key);
    if (isBrowser(req)) return { kind: 'reader' };
    throw keyMissing();
  };

  return {
    mayRead: (key) => {
      const keyHash = hashKey(key);
      return isAdminKey(keyHash) || isReadKey(keyHash);
    },
    isBrowser,
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
      throw wrongKind(['session']);
    },
  };
}

function assertKind(kind: KeyKind, access: Exclude<Access, 'public'>): void {
  if (typeof access === 'string' || access.includes(kind)) return;
  throw wrongKind(keyKinds.filter((known) => access.includes(known)));
}

function readHeaders(req: Request): RequestHeaders {
  const idempotencyKey = req.get('idempotency-key')?.trim();
  if (idempotencyKey !== undefined && !idempotencyKeyForm.test(idempotencyKey)) {
    throw new AppError('invalid_request', 'The header "Idempotency-Key" must have 1 to 255 printable characters.', {
      reason: 'idempotency_key_invalid',
    });
  }
  return {
    idempotencyKey,
    accept: req.get('accept') ?? '',
    browserToken: readCookie(req, sessionCookieName),
    isFromReplica: fromReplicas.has(req),
  };
}
