import { AppError } from '@weir/foundation';
import { expressPath, type Access, type Endpoint, type HandlerResult, type ParsedInput } from '@weir/http-contract';
import type { Request, Response, Router } from 'express';
import { disconnectSignal } from '../http/disconnect-signal';
import { assertNoFieldIgnored, parseInputPart } from './input-part';
import type { JsonBodyReader } from './json-body';
import { addRequestDetails } from '../http/request-details';
import { getRequestId } from '../http/request-id';
import { setSessionCookie, type SessionCookie } from '../http/session-cookie';
import type { PassedAnswer } from './passed-answer';
import { sendAnswer } from './send-answer';
import type { AccessWatch } from './watch-access';

/**
 * Settles who calls: returns the principal, or throws `unauthenticated` or `forbidden`. For the access `login` the
 * request's `body` is the parsed one; for every other it was not read yet.
 */
export type AccessGuard<Principal> = (req: Request, access: Access, endpoint?: Endpoint) => Promise<Principal>;

/** A call of a bound endpoint, with its details as far as they are known. */
export interface BoundCall<Principal> {
  readonly endpoint: Endpoint;
  readonly requestId: string;
  readonly clientAddress: string;
  /** Missing until access is settled. */
  principal?: Principal;
  /** Missing until the request was parsed. */
  input?: ParsedInput<Endpoint>;
}

/** Is told how the work of a call ends, which is from the check of access to the result of the handler. */
export interface CallRecord<Given extends object> {
  /** The handler gets this with its context. */
  readonly given: Given;
  /** The result is answered once this has resolved. */
  readonly succeeded?: (result: unknown) => Promise<void>;
  /** Called with what the work, or `succeeded`, has thrown; that is answered once this has resolved. */
  readonly failed?: (error: unknown) => Promise<void>;
}

export interface BinderOptions<Principal, Given extends object> {
  readonly router: Router;
  /** For `public` endpoints it may return a special principal for anonymous callers. */
  readonly guard: AccessGuard<Principal>;
  readonly readBody: JsonBodyReader;
  /** Reads bodies for endpoints that need no credential, which should have a lower limit. Default: `readBody`. */
  readonly readPublicBody?: JsonBodyReader;
  /** Creates the reader for endpoints that have their own limit. */
  readonly createBodyReader?: (maxBytes: number) => JsonBodyReader;
  /** The name of the principal in the access log; `undefined` for one without a name. Default: it is not logged. */
  readonly getPrincipalId?: (principal: Principal) => string | undefined;
  /** The common property of principals with equal rights. Default: the whole principal, as JSON. */
  readonly describeRights?: (principal: Principal) => string;
  /** How often the access of open streams is checked; see `AccessWatch`. */
  readonly streamChecks?: Pick<AccessWatch, 'beforeEventMs' | 'idleMs'>;
  /** Called before the access of a call is checked: its details come later. */
  readonly openRecord: (call: BoundCall<Principal>) => CallRecord<Given>;
  /** Whether a body with fields that its schema does not have is refused. Default: they are ignored. */
  readonly refusesUnknownFields?: (endpoint: Endpoint) => boolean;
  /**
   * Called once access is granted and the input was parsed: if it resolves with an answer, that one is sent and the
   * handler is not called. Default: the handler answers every call.
   */
  readonly passOn?: (call: AdmittedCall<Principal>) => Promise<PassedAnswer | undefined>;
}

/** A call that a handler could answer. */
export interface AdmittedCall<Principal> {
  readonly endpoint: Endpoint;
  readonly principal: Principal;
  readonly req: Request;
  /** Aborted when the client disconnects before the answer was sent. */
  readonly signal: AbortSignal;
}

export interface HandlerContext<E extends Endpoint, Principal> {
  readonly input: ParsedInput<E>;
  readonly principal: Principal;
  readonly requestId: string;
  /** The peer's address as the server's trust settings see it. */
  readonly clientAddress: string;
  /** The client's name for itself; empty if it sends none. */
  readonly userAgent: string;
  /** The headers of the request, by lower-case names; for endpoints that check a credential of their own. */
  readonly headers: Request['headers'];
  /** The body as it was sent, after decompression; for endpoints that check a signature of it. */
  readonly getRawBody: () => Uint8Array;
  /**
   * Checks the current access of the same credential to another endpoint, for work that goes on after the answer.
   * Rejects as the guard does.
   */
  readonly checkAccess: (access: Access, endpoint?: Endpoint) => Promise<Principal>;
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
// oxlint-disable-next-line typescript/no-invalid-void-type -- it is a return type, in two steps
type Answer<E extends Endpoint> = [HandlerResult<E>] extends [undefined] ? void : HandlerResult<E>;

export type Handler<E extends Endpoint, Principal, Given extends object = object> = (
  context: HandlerContext<E, Principal> & Given,
) => Answer<E> | Promise<Answer<E>>;

/** `Given` is what handlers get besides from the record of their call. */
export type BindEndpoint<Principal, Given extends object = object> = <const E extends Endpoint>(
  endpoint: E,
  handler: Handler<E, Principal, Given>,
) => void;

const toNobody = (): Promise<undefined> => Promise.resolve(undefined);
const usualStreamChecks = { beforeEventMs: 1_000, idleMs: 5_000 };

/**
 * Returns the function that binds endpoints to a router. A bound endpoint does, in this order: settle access, parse
 * path, query and body, call the handler, cut the result down to the success schema, send. For the access `login` the
 * input comes first. A handler can neither omit a check nor leak a field.
 */
export function createBinder<Principal, Given extends object>(
  options: BinderOptions<Principal, Given>,
): BindEndpoint<Principal, Given> {
  const {
    guard,
    getPrincipalId,
    readPublicBody = options.readBody,
    openRecord,
    passOn = toNobody,
    refusesUnknownFields = () => false,
    streamChecks = usualStreamChecks,
  } = options;
  const authenticate = async (req: Request, endpoint: Endpoint): Promise<Principal> => {
    const principal = await guard(req, endpoint.access, endpoint);
    const principalId = getPrincipalId?.(principal);
    if (principalId !== undefined) addRequestDetails(req, { principalId });
    return principal;
  };
  const parse = async <E extends Endpoint>(endpoint: E, req: Request, res: Response, readBody: JsonBodyReader) => {
    const { input, body } = await parseInput(endpoint, req, res, readBody);
    if (refusesUnknownFields(endpoint)) assertNoFieldIgnored(body, input.body);
    return input;
  };
  const admit = async <E extends Endpoint>(endpoint: E, req: Request, res: Response, call: BoundCall<Principal>) => {
    if (endpoint.access !== 'login') {
      const principal = (call.principal = await authenticate(req, endpoint));
      const input = (call.input = await parse(endpoint, req, res, chooseReader(options, endpoint)));
      return { principal, input };
    }
    const input = (call.input = await parse(endpoint, req, res, readPublicBody));
    req.body = input.body;
    const principal = (call.principal = await authenticate(req, endpoint));
    return { principal, input };
  };
  return (endpoint, handler) => {
    const method = endpoint.method.toLowerCase() as Lowercase<typeof endpoint.method>;
    options.router[method](expressPath(endpoint.path), async (req, res) => {
      const signal = disconnectSignal(res);
      addRequestDetails(req, { route: `${req.baseUrl}${endpoint.path}` });
      const call: BoundCall<Principal> = { endpoint, requestId: getRequestId(req), clientAddress: req.ip ?? '' };
      const result = await recordCall(openRecord(call), async (given) => {
        const { principal, input } = await admit(endpoint, req, res, call);
        const passed = await passOn({ endpoint, principal, req, signal });
        if (passed !== undefined) return passed;
        return handler({
          ...given,
          input,
          principal,
          requestId: call.requestId,
          clientAddress: call.clientAddress,
          userAgent: req.get('user-agent') ?? '',
          headers: req.headers,
          getRawBody: () => (Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)),
          checkAccess: (access, other) => guard(req, access, other),
          setSessionCookie: (cookie) => setSessionCookie(req, res, cookie),
          ifMatch: endpoint.hasRevisions ? req.get('if-match') : undefined,
          lastEventId: endpoint.success.content?.kind === 'events' ? req.get('last-event-id') : undefined,
          setEntityTag: (tag) => res.set('etag', tag),
          signal,
          onSent: (listener) => res.once('finish', listener),
        });
      });
      await sendAnswer(endpoint, result, req, res, { ...streamChecks, check: () => hasSameRights(options, req, call) });
    });
  };
}

/** Does the work of a call. Rejects as the work or the record does. */
export async function recordCall<Given extends object, Result>(
  { given, succeeded, failed }: CallRecord<Given>,
  work: (given: Given) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work(given);
    await succeeded?.(result);
    return result;
  } catch (error) {
    await failed?.(error);
    throw error;
  }
}

function chooseReader(
  {
    readBody,
    readPublicBody = readBody,
    createBodyReader,
  }: Pick<BinderOptions<never, never>, 'readBody' | 'readPublicBody' | 'createBodyReader'>,
  { access, maxBodyBytes }: Endpoint,
): JsonBodyReader {
  if (maxBodyBytes !== undefined && createBodyReader !== undefined) return createBodyReader(maxBodyBytes);
  return access === 'public' ? readPublicBody : readBody;
}

/** Whether the request would be let in now as it was then. */
async function hasSameRights<Principal>(
  {
    guard,
    describeRights = (principal) => JSON.stringify(principal),
  }: Pick<BinderOptions<Principal, never>, 'guard' | 'describeRights'>,
  req: Request,
  { endpoint, principal }: BoundCall<Principal>,
): Promise<boolean> {
  return (
    principal !== undefined && describeRights(await guard(req, endpoint.access, endpoint)) === describeRights(principal)
  );
}

async function parseInput<E extends Endpoint>(
  endpoint: E,
  req: Request,
  res: Response,
  readBody: JsonBodyReader,
): Promise<{ readonly input: ParsedInput<E>; readonly body: unknown }> {
  const params = endpoint.params && parseInputPart('path', endpoint.params, req.params);
  const query = endpoint.query && parseInputPart('query', endpoint.query, req.query);
  const body = endpoint.body && (await readRequiredBody(endpoint, req, res, readBody));
  const input = { params, query, body: endpoint.body && parseInputPart('body', endpoint.body, body) };
  // Each part was parsed by the schema from which its type is derived.
  return { input: input as ParsedInput<E>, body };
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
