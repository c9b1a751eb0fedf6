import { isAppError } from '@weir/foundation';
import { endpoint } from '@weir/http-contract';
import {
  addRequestDetails,
  getRequestId,
  recordCall,
  setSessionCookie,
  type BoundCall,
  type Logger,
} from '@weir/service-kit';
import type { Request, RequestHandler, Response } from 'express';
import type { Audited } from '../../access/audited-operation';
import type { AuditTrail } from '../audit';
import { toUserPrincipal, type Principal } from '../../access/principal';
import type { Browser, BrowserSessionService } from '../browser-sessions';
import type { User } from '../../access/user';
import { failureParameter, signInFailures } from './external-sign-in-errors';

export interface SignInPagePorts {
  /** The path has no trailing slash. */
  readonly basePath: string;
  readonly sessions: Pick<BrowserSessionService, 'open'>;
  readonly audit: Pick<AuditTrail, 'openRecord'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** One request that may sign a person in. */
export interface PersonSignIn extends Audited {
  /** Names the user who signs in, before anything is stored about them. */
  readonly onFound: (user: User) => void;
  /** Names the page to show, also after a failure. Default: the first one. */
  readonly onPage: (path: string) => void;
}

/**
 * The endpoint only names the entry of the audit log: the page answers with a redirection, which is not part of the
 * described API.
 */
const signInPage = endpoint({
  method: 'GET',
  path: '/sign-in',
  operationId: 'signInElsewhere',
  tag: 'auth',
  summary: '',
  access: 'public',
  audit: { category: 'auth', action: 'login', recordsFailures: true },
  success: { status: 200, description: '' },
  errors: {},
});

/**
 * Answers with a session and the requested page; or, without a session, with the sign-in page in its place, which
 * explains the failure. Each answer is one entry of the audit log.
 */
export function createSignInPage(
  ports: SignInPagePorts,
  signIn: (req: Request, res: Response, person: PersonSignIn) => Promise<User>,
): RequestHandler {
  const { sessions, audit } = ports;
  return async (req, res) => {
    noStore(res);
    addRequestDetails(req, { route: `${req.baseUrl}${req.path}` });
    const call: BoundCall<Principal> = {
      endpoint: signInPage,
      requestId: getRequestId(req),
      clientAddress: req.ip ?? '',
      input: { params: undefined, query: undefined, body: undefined },
    };
    let page = '/';
    const onPage = (path: string): void => void (page = path);
    const work = async (): Promise<void> => {
      const cookie = await recordCall(audit.openRecord(call), async (audited) => {
        const onFound = (user: User): void => void (call.principal = toUserPrincipal(user));
        return sessions.open(await signIn(req, res, { onFound, onPage, ...audited }), browserOf(req));
      });
      setSessionCookie(req, res, cookie);
      res.redirect(303, `${ports.basePath}${page}`);
    };
    await redirectFailures(ports, res, { work, page: () => page });
  };
}

/** Does the work of a page; the sign-in page, in the place of the requested one, shows a failure that is meant for people. */
export async function redirectFailures(
  { basePath, logger }: Pick<SignInPagePorts, 'basePath' | 'logger'>,
  res: Response,
  { work, page = () => '/' }: { readonly work: () => Promise<void>; readonly page?: () => string },
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = isAppError(error) ? error.reason : undefined;
    if (reason === undefined || !signInFailures.includes(reason)) throw error;
    logger.warn({ reason, error }, 'a sign-in by another provider failed');
    const { pathname, searchParams, hash } = new URL(page(), 'http://server.invalid');
    searchParams.set(failureParameter, reason);
    res.redirect(303, `${basePath}${pathname}?${searchParams.toString()}${hash}`);
  }
}

export function noStore(res: Response): void {
  res.set({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
}

function browserOf(req: Request): Browser {
  return { userAgent: req.get('user-agent') ?? '', address: req.ip ?? '' };
}
