import { AppError } from '@weir/errors';
import { expressPath, type Access, type Endpoint, type HandlerResult, type ParsedInput } from '@weir/http-contract';
import type { Request, Response, Router } from 'express';
import { disconnectSignal } from '../http/disconnect-signal';
import { parseInputPart } from './input-part';
import type { JsonBodyReader } from './json-body';
import { addRequestDetails } from '../http/request-details';
import { getRequestId } from '../http/request-id';
import { setSessionCookie, type SessionCookie } from '../http/session-cookie';
import { sendAnswer } from './send-answer';

/**
 * Settles who calls: returns the principal, or throws `unauthenticated` or `forbidden`. For the access `login` the
 * request's `body` is the parsed one; for every other it was not read yet.
 */
export type AccessGuard<Principal> = (req: Request, access: Access) => Promise<Principal>;

/** A call of a bound endpoint, as far as it is known by then. */
export interface BoundCall<Principal> {
  readonly endpoint: Endpoint;
  readonly requestId: string;
  readonly clientAddress: string;
  /** Missing until access is settled. */
  principal?: Principal;
  /** Missing until the request was parsed. */
  input?: ParsedInput<Endpoint>;
}

export interface BinderOptions<Principal> {
  readonly router: Router;
  /** For `public` endpoints it may return a principal of its own kind for anonymous callers. */
  readonly guard: AccessGuard<Principal>;
  readonly readBody: JsonBodyReader;
  /** For endpoints that need no credential, whose bodies should be bounded tighter. Default: `readBody`. */
  readonly readPublicBody?: JsonBodyReader;
  /** For endpoints that have a limit of their own. */
  readonly createBodyReader?: (maxBytes: number) => JsonBodyReader;
  /** What the access log calls the principal; `undefined` for one without a name. Default: it is not logged. */
  readonly getPrincipalId?: (principal: Principal) => string | undefined;
  /**
   * Wraps the work of each call, from the check of access to the result of the handler, which is answered once this has
   * resolved. Default: the work alone.
   */
  readonly wrapCall?: (call: BoundCall<Principal>, work: () => Promise<unknown>) => Promise<unknown>;
}

export interface HandlerContext<E extends Endpoint, Principal> {
  readonly input: ParsedInput<E>;
  readonly principal: Principal;
  readonly requestId: string;
  /** The peer's address as the server's trust settings see it. */
  readonly clientAddress: string;
  /** What the client calls itself; empty where it does not. */
  readonly userAgent: string;
  /** A header of the request; for endpoints that check a credential of their own. */
  readonly getHeader: (name: string) => string | undefined;
  readonly setSessionCookie: (cookie: SessionCookie) => void;
  /** The header `If-Match` of an endpoint that has revisions. */
  readonly ifMatch: string | undefined;
  /** Sets the entity tag of the answer; for an endpoint that has revisions. */
  readonly setEntityTag: (tag: string) => void;
  /** The header `Last-Event-ID` of an endpoint that sends events. */
  readonly lastEventId: string | undefined;
  /** Aborted when the client disconnects before the answer was sent. */
  readonly signal: AbortSignal;
  /** Registers what is to happen once the answer was sent whole; it does not if the client disconnects before. */
  readonly onSent: (listener: () => void) => void;
}

// Without a body to answer, a handler may end in the call that does the work, whose result is usually void.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- it is a return type, in two steps
type Answer<E extends Endpoint> = [HandlerResult<E>] extends [undefined] ? void : HandlerResult<E>;

export type Handler<E extends Endpoint, Principal> = (
  context: HandlerContext<E, Principal>,
) => Answer<E> | Promise<Answer<E>>;

export type BindEndpoint<Principal> = <const E extends Endpoint>(endpoint: E, handler: Handler<E, Principal>) => void;

/**
 * Returns the function that binds endpoints to a router. A bound endpoint does, in this order: settle access, parse
 * path, query and body, call the handler, cut the result down to the success schema, send. For the access `login` the
 * input comes first. A handler can neither omit a check nor leak a field.
 */
export function createBinder<Principal>(options: BinderOptions<Principal>): BindEndpoint<Principal> {
  const {
    guard,
    getPrincipalId,
    readBody,
    readPublicBody = readBody,
    createBodyReader,
    wrapCall = (_, work) => work(),
  } = options;
  const authenticate = async (req: Request, access: Access): Promise<Principal> => {
    const principal = await guard(req, access);
    const principalId = getPrincipalId?.(principal);
    if (principalId !== undefined) addRequestDetails(req, { principalId });
    return principal;
  };
  const admit = async <E extends Endpoint>(endpoint: E, req: Request, res: Response, call: BoundCall<Principal>) => {
    if (endpoint.access !== 'login') {
      const principal = (call.principal = await authenticate(req, endpoint.access));
      const input = (call.input = await parseInput(endpoint, req, res, chooseReader(endpoint)));
      return { principal, input };
    }
    const input = (call.input = await parseInput(endpoint, req, res, readPublicBody));
    req.body = input.body;
    const principal = (call.principal = await authenticate(req, endpoint.access));
    return { principal, input };
  };
  const chooseReader = ({ access, maxBodyBytes }: Endpoint): JsonBodyReader => {
    if (maxBodyBytes !== undefined && createBodyReader !== undefined) return createBodyReader(maxBodyBytes);
    return access === 'public' ? readPublicBody : readBody;
  };
  return (endpoint, handler) => {
    const method = endpoint.method.toLowerCase() as Lowercase<typeof endpoint.method>;
    options.router[method](expressPath(endpoint.path), async (req, res) => {
      const signal = disconnectSignal(res);
      addRequestDetails(req, { route: `${req.baseUrl}${endpoint.path}` });
      const call: BoundCall<Principal> = { endpoint, requestId: getRequestId(req), clientAddress: req.ip ?? '' };
      const result = await wrapCall(call, async () => {
        const { principal, input } = await admit(endpoint, req, res, call);
        return handler({
          input,
          principal,
          requestId: call.requestId,
          clientAddress: call.clientAddress,
          userAgent: req.get('user-agent') ?? '',
          getHeader: (name) => req.get(name),
          setSessionCookie: (cookie) => setSessionCookie(req, res, cookie),
          ifMatch: endpoint.hasRevisions ? req.get('if-match') : undefined,
          lastEventId: endpoint.success.content?.kind === 'events' ? req.get('last-event-id') : undefined,
          setEntityTag: (tag) => res.set('etag', tag),
          signal,
          onSent: (listener) => res.once('finish', listener),
        });
      });
      await sendAnswer(endpoint, result, req, res);
    });
  };
}

async function parseInput<E extends Endpoint>(
  endpoint: E,
  req: Request,
  res: Response,
  readBody: JsonBodyReader,
): Promise<ParsedInput<E>> {
  const input = {
    params: endpoint.params && parseInputPart('path', endpoint.params, req.params),
    query: endpoint.query && parseInputPart('query', endpoint.query, req.query),
    body: endpoint.body && parseInputPart('body', endpoint.body, await readRequiredBody(endpoint, req, res, readBody)),
  };
  // Each part was parsed by the schema that its type is derived from.
  return input as ParsedInput<E>;
}

async function readRequiredBody(
  endpoint: Endpoint,
  req: Request,
  res: Response,
  readBody: JsonBodyReader,
): Promise<unknown> {
  const body = await readBody(req, res);
  if (body === undefined && endpoint.bodyRequired !== false) {
    throw new AppError('invalid_request', 'This operation needs a JSON body.', { reason: 'body_missing' });
  }
  return body;
}
