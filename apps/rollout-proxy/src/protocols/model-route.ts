import { hash } from 'node:crypto';
import { AppError, toAppError, yieldToEventLoop } from '@weir/foundation';
import {
  addRequestDetails,
  createEventStream,
  disconnectSignal,
  getRequestId,
  type JsonBodyReader,
  type Logger,
} from '@weir/service-kit';
import type { Request, RequestHandler, Response } from 'express';
import { parseRecording } from '@weir/rollout-engine';
import type {
  CallAddress,
  CompletionEvent,
  CompletionIdentity,
  CompletionRequest,
  Conversations,
  ModelProtocol,
  ReadCall,
  RunCompletion,
} from '@weir/rollout-engine';

export interface ModelRouteOptions<Session extends Conversations> {
  /** Returns the session of the key in the request; throws `unauthenticated` or `forbidden`. */
  readonly authenticate: (req: Request) => Session;
  readonly readBody: JsonBodyReader;
  readonly runCompletion: RunCompletion<Session>;
  readonly logger: Logger;
  readonly heartbeatMs: number;
  /** Answers calls whose session is in another process. */
  readonly affinity?: RequestHandler | undefined;
  /** Passes on the events of a call, to report it. */
  readonly traceCall?: TraceCall<Session> | undefined;
}

/** `traceParent` is the header of W3C Trace Context. */
export type TraceCall<Session> = (
  call: { readonly session: Session; readonly request: CompletionRequest; readonly traceParent: string | undefined },
  events: AsyncIterable<CompletionEvent>,
) => AsyncIterable<CompletionEvent>;

const maxKeyLength = 256;

/** Parses a model call, executes its completion, and answers in the form of the protocol, streamed or whole. */
export function createModelRoute<Session extends Conversations, Call extends ReadCall>(
  protocol: ModelProtocol<Call>,
  options: ModelRouteOptions<Session>,
): RequestHandler {
  return async (req, res) => {
    addRequestDetails(req, { route: protocol.name });
    const session = options.authenticate(req);
    const body = await options.readBody(req, res);
    if (body === undefined) {
      throw new AppError('invalid_request', 'This operation needs a JSON body.', { reason: 'body_missing' });
    }
    // Parsing and hashing 10 MB each hold the event loop for milliseconds.
    await yieldToEventLoop();
    const identity = readIdentity(req);
    await yieldToEventLoop();
    const call = protocol.read(body, identity, session, readAddress(req));
    const record = req.get('x-record');
    const request = record === undefined ? call.request : { ...call.request, recording: parseRecording(record) };
    const made = options.runCompletion(session, request, disconnectSignal(res));
    const traceParent = req.get('traceparent');
    const events = options.traceCall?.({ session, request, traceParent }, made) ?? made;
    const headers = call.ignored.length === 0 ? {} : { 'X-Ignored-Parameters': call.ignored.join(', ') };
    if (request.isStreaming) await stream({ protocol, call, events, headers, req, res }, options);
    else await answer({ protocol, call, events, headers, req, res });
  };
}

interface Exchange<Call extends ReadCall> {
  readonly protocol: ModelProtocol<Call>;
  readonly call: Call;
  readonly events: AsyncIterable<CompletionEvent>;
  readonly headers: Readonly<Record<string, string>>;
  readonly req: Request;
  readonly res: Response;
}

async function answer<Call extends ReadCall>({ protocol, call, events, headers, res }: Exchange<Call>): Promise<void> {
  const builder = protocol.createAnswer(call);
  let isFinished = false;
  for await (const event of events) {
    builder.take(event);
    isFinished ||= event.kind === 'finished';
  }
  if (!isFinished) throw unfinished();
  res.set(headers).status(200).json(builder.body());
}

async function stream<Call extends ReadCall>(
  { protocol, call, events, headers, req, res }: Exchange<Call>,
  { heartbeatMs, logger }: { readonly heartbeatMs: number; readonly logger: Logger },
): Promise<void> {
  const renderer = protocol.createStream(call);
  // Events before the first token are buffered: a failure of the engine then still gets its own status.
  let buffered = '';
  const takeBuffered = (): string => {
    const text = buffered;
    buffered = '';
    return text;
  };
  const out = createEventStream(res, { heartbeat: () => takeBuffered() || protocol.heartbeat, heartbeatMs, headers });
  try {
    let isFinished = false;
    for await (const event of events) {
      buffered += renderer.take(event);
      isFinished ||= event.kind === 'finished';
      if (event.kind !== 'started' && buffered !== '') await out.send(takeBuffered());
    }
    if (!isFinished) throw unfinished();
  } catch (caught) {
    if (!out.isOpen || res.closed) throw caught;
    const error = toAppError(caught);
    const requestId = getRequestId(req);
    logger.warn({ requestId, error: caught }, 'a streamed answer failed');
    await out.send(takeBuffered() + renderer.fail(error, requestId));
  } finally {
    out.end();
  }
}

function unfinished(): AppError {
  return new AppError('internal', 'The completion ended without a result.', { reason: 'completion_unfinished' });
}

/** Names of models have slashes, which make several segments of a path. */
function readAddress({ params, query }: Request): CallAddress {
  const { model } = params;
  return { query, ...(Array.isArray(model) ? { model: model.join('/') } : {}) };
}

function readIdentity(req: Request): CompletionIdentity {
  const key = req.get('idempotency-key');
  if (key !== undefined && key.length > maxKeyLength) {
    throw new AppError('invalid_request', `Idempotency-Key: must have at most ${maxKeyLength} characters.`, {
      reason: 'request_invalid',
    });
  }
  // The reader leaves the bytes on the request.
  const bytes: unknown = req.body;
  return {
    key: key === '' ? undefined : key,
    bodyDigest: hash('sha256', Buffer.isBuffer(bytes) ? bytes : ''),
    attempt: Number(/^\d{1,4}$/.exec(req.get('x-stainless-retry-count') ?? '')?.[0] ?? 0),
  };
}
