import { StringDecoder } from 'node:string_decoder';
import { AppError, asObject } from '@weir/foundation';
import { createParser } from 'eventsource-parser';
import type { GenerationEvent, GenerationRequest } from '../port/inference-engine';
import type { Dialect } from './dialect';
import { AnswerLedger } from './answer-ledger';
import { readText, type EngineBody, type EngineConnection } from './engine-connection';
import { engineFailed, engineTimeout, engineUnavailable } from './engine-failure';
import { idsJson } from './ids-json';
import { createLimitedSignal } from './limited-signal';
import type { JsonObject } from './json-value';

export interface GenerationDeps {
  readonly dialect: Dialect;
  readonly connection: EngineConnection;
  readonly model: string | undefined;
  /** Fields of the body that choose an adapter. */
  readonly adapter?: JsonObject | undefined;
  /** A doubt that applies to every token of the answer. */
  readonly doubt: string | undefined;
  /** Called with the ledger at the end of a complete answer. */
  readonly observe: (ledger: AnswerLedger) => void;
  /** Aborted when the engine is stopped: then no abort calls are sent. */
  readonly stopped: AbortSignal;
}

/** One answer of the engine. Unless it is read to its end, it is aborted at the engine. */
export async function* runGeneration(
  deps: GenerationDeps,
  request: GenerationRequest,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent> {
  const { dialect, connection } = deps;
  const sent = mayStream(dialect, request) ? request : { ...request, isStreaming: false };
  const ledger = new AnswerLedger(sent);
  if (deps.doubt !== undefined) ledger.doubt(deps.doubt);
  const limit = createLimitedSignal(signal, connection.totalTimeoutMs);
  let isEnded = false;
  try {
    const answer = await connection.post(
      {
        path: dialect.path,
        body: buildBody(deps, sent),
        // SGLang's router keeps a session on one worker by this header.
        headers: { 'x-smg-routing-key': headerValue(request.sessionId) },
      },
      limit.signal,
    );
    const reader = dialect.createReader(sent);
    for await (const body of sent.isStreaming ? streamedBodies(answer) : wholeBody(answer)) {
      reader.read(body, ledger);
      const piece = ledger.takePiece();
      if (piece !== undefined) yield piece;
      if (ledger.hasTooManyTokens) break;
    }
    limit.signal.throwIfAborted();
    if (sent.isStreaming && ledger.reason === undefined && !ledger.hasTooManyTokens) throw truncated(ledger.count);
    const end = ledger.finish();
    isEnded = !ledger.hasTooManyTokens;
    deps.observe(ledger);
    yield end;
  } catch (error) {
    signal.throwIfAborted();
    throw limit.isLate() ? engineTimeout('generation_too_long') : toCallerError(error, ledger.count);
  } finally {
    limit.clear();
    if (!isEnded) {
      // Closes the connection of an answer that was not read to its end.
      limit.abort();
      abortAtEngine(deps, request.requestId);
    }
  }
}

/** Some of what a call may ask for comes only with whole answers. */
function mayStream(dialect: Dialect, request: GenerationRequest): boolean {
  const { routedExperts, promptLogprobsFrom, samplingMask } = request;
  if (samplingMask === true && dialect.samplingMask === 'whole') return false;
  if (routedExperts !== undefined && dialect.routedExperts === 'whole') return false;
  if (promptLogprobsFrom !== undefined && dialect.promptLogprobs === 'whole') return false;
  return dialect.canStream;
}

function buildBody({ dialect, model, adapter }: GenerationDeps, request: GenerationRequest): string {
  const rest = JSON.stringify({ ...dialect.body(request, model), ...adapter });
  return `{"${dialect.promptField}":${idsJson(request.promptIds)},${rest.slice(1)}`;
}

async function* wholeBody(answer: EngineBody): AsyncGenerator<JsonObject> {
  yield parseBody(await readText(answer.chunks, answer.maxBytes));
}

async function* streamedBodies(answer: EngineBody): AsyncGenerator<JsonObject> {
  let isDone = false;
  for await (const data of eventStreamData(answer)) {
    // Read to its end nevertheless: only then is the connection reused.
    isDone ||= data === '[DONE]';
    if (!isDone && data !== '') yield parseBody(data);
  }
}

function parseBody(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message would quote the answer.
    throw engineFailed('engine_answer_malformed');
  }
  const body = asObject(value);
  if (body === undefined) throw engineFailed('engine_answer_malformed');
  return body;
}

function truncated(count: number): AppError {
  return count === 0 ? engineUnavailable('engine_connection_lost') : engineFailed('engine_connection_lost');
}

/** A connection lost before the first token may be retried: nothing was delivered. */
function toCallerError(error: unknown, count: number): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.reason === 'engine_connection_lost' && count === 0) {
    return engineUnavailable('engine_connection_lost', error.cause);
  }
  if (error.code === 'unavailable' && count > 0) return engineFailed(error.reason ?? 'engine_failed', error.cause);
  return error;
}

/** Runs in the background with the deadline of a control call. */
function abortAtEngine({ dialect, connection, stopped }: GenerationDeps, requestId: string): void {
  const call = dialect.abortCall(requestId);
  if (call === undefined || stopped.aborted) return;
  // Engines that notice the closed connection have aborted it already, so a failure here does not matter.
  void connection.control({ method: 'POST', ...call }, stopped).catch(() => undefined);
}

function headerValue(sessionId: string): string {
  return sessionId.replace(/[^\x21-\x7e]/g, '_').slice(0, 200);
}

/** Yields the data of each event of an engine's stream. Other fields and comments are ignored. */
async function* eventStreamData(body: EngineBody): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let received: string[] = [];
  const parser = createParser({
    maxBufferSize: body.maxBytes,
    onEvent: ({ data }) => void received.push(data),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw engineFailed('engine_answer_too_large');
    },
  });
  for await (const chunk of body.chunks) {
    parser.feed(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)));
    if (received.length === 0) continue;
    const events = received;
    received = [];
    yield* events;
  }
}
