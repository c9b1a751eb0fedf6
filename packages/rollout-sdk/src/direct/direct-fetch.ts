import { hash, randomUUID } from 'node:crypto';
import { AppError, toAppError } from '@weir/foundation';
import { toHttpStatus } from '@weir/http-contract';
import {
  chatCompletions,
  parseExactJson,
  responses,
  type CompletionEvent,
  type ModelProtocol,
  type ReadCall,
  type RunCompletion,
} from '@weir/rollout-engine';
import type { DirectSession } from './direct-session';

/**
 * A `fetch` that answers `POST /chat/completions` and `POST /responses` by the engine, in this process. Any other request
 * gets 404.
 */
export function createDirectFetch(session: DirectSession, runCompletion: RunCompletion<DirectSession>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/chat/completions')) return answer(chatCompletions, { request, session, runCompletion });
    if (pathname.endsWith('/responses')) return answer(responses, { request, session, runCompletion });
    return errorResponse(chatCompletions, notServed(pathname));
  };
}

interface DirectCall {
  readonly request: Request;
  readonly session: DirectSession;
  readonly runCompletion: RunCompletion<DirectSession>;
}

async function answer<Call extends ReadCall>(protocol: ModelProtocol<Call>, direct: DirectCall): Promise<Response> {
  const { request, session, runCompletion } = direct;
  try {
    const text = await request.text();
    // A call of this process arrives once: nothing repeats it.
    const identity = { key: undefined, bodyDigest: hash('sha256', text), attempt: 0 };
    const call = protocol.read(parseExactJson(text), identity, session);
    const events = runCompletion(session, call.request, request.signal);
    return call.request.isStreaming ? await stream(protocol, call, events) : await whole(protocol, call, events);
  } catch (error) {
    request.signal.throwIfAborted();
    return errorResponse(protocol, toAppError(error));
  }
}

async function whole<Call extends ReadCall>(
  protocol: ModelProtocol<Call>,
  call: Call,
  events: AsyncIterable<CompletionEvent>,
): Promise<Response> {
  const builder = protocol.createAnswer(call);
  for await (const event of events) builder.take(event);
  return Response.json(builder.body());
}

/** The first event is awaited, so that an earlier failure has its own status. */
async function stream<Call extends ReadCall>(
  protocol: ModelProtocol<Call>,
  call: Call,
  events: AsyncIterable<CompletionEvent>,
): Promise<Response> {
  const renderer = protocol.createStream(call);
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  const body = ReadableStream.from(
    (async function* () {
      const encoder = new TextEncoder();
      try {
        for (let next = first; next.done !== true; next = await iterator.next()) {
          const text = renderer.take(next.value);
          if (text !== '') yield encoder.encode(text);
        }
      } catch (error) {
        yield encoder.encode(renderer.fail(toAppError(error), randomUUID()));
      } finally {
        await iterator.return?.();
      }
    })(),
  );
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

function errorResponse<Call extends ReadCall>(protocol: ModelProtocol<Call>, error: AppError): Response {
  return Response.json(protocol.errorBody(error, randomUUID()), { status: toHttpStatus(error.code) });
}

function notServed(pathname: string): AppError {
  return new AppError('not_found', `A direct client does not serve ${pathname}.`, { reason: 'route_not_found' });
}
