import { readBounded } from '@weir/foundation';
import { Pool } from 'undici';
import { toConnectionFailure, toStatusFailure, engineFailed, engineTimeout } from './engine-failure';
import { createLimitedSignal } from './limited-signal';

export interface ConnectionLimits {
  /** Connections to one replica; further requests wait. Default 4,096: the engine knows better what it can take. */
  readonly maxConnections?: number;
  /** The time limit to establish the connection. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /**
   * The time limit until the head of an answer, including the wait for a connection. Default 10 min: a whole answer may
   * be sampled.
   */
  readonly answerTimeoutMs?: number;
  /** The time limit between two pieces of an answer. Default 2 min. */
  readonly idleTimeoutMs?: number;
  /** The time limit of health checks, aborts and the calls of the probe. Default 5 s. */
  readonly controlTimeoutMs?: number;
  /** The time limit of a whole generation. Default 1 h. */
  readonly totalTimeoutMs?: number;
  /** An answer, or one event of a stream. Default 64 MiB. */
  readonly maxBytes?: number;
}

export interface EnginePost {
  readonly path: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The bytes of a successful answer. A limit or a lost connection rejects with an `AppError`. */
export interface EngineBody {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly maxBytes: number;
}

/** One replica's keep-alive connections. */
export interface EngineConnection {
  post(call: EnginePost, signal: AbortSignal): Promise<EngineBody>;
  /** A small call with its own deadline. `json` is `undefined` when the body is not JSON. */
  control(call: ControlRequest, signal: AbortSignal): Promise<ControlAnswer>;
  readonly totalTimeoutMs: number;
  stop(): Promise<void>;
}

export interface ControlRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Default: `controlTimeoutMs`. */
  readonly timeoutMs?: number;
}

export interface ControlAnswer {
  readonly status: number;
  readonly json: unknown;
}

// Calls have a deadline of their own, and undici would end a longer one after five minutes.
const patient = { headersTimeout: 0, bodyTimeout: 0 } as const;

const errorBytes = 16_384;
const controlBytes = 8_388_608;

export function createEngineConnection(
  url: string,
  apiKey: string | undefined,
  limits: ConnectionLimits = {},
): EngineConnection {
  const { pathname, origin } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const answerTimeoutMs = limits.answerTimeoutMs ?? 600_000;
  const idleTimeoutMs = limits.idleTimeoutMs ?? 120_000;
  const controlTimeoutMs = limits.controlTimeoutMs ?? 5_000;
  const maxBytes = limits.maxBytes ?? 67_108_864;
  const totalTimeoutMs = limits.totalTimeoutMs ?? 3_600_000;
  const createPool = (connections: number): Pool =>
    new Pool(origin, { connections, pipelining: 1, connectTimeout: limits.connectTimeoutMs ?? 5_000 });
  const pool = createPool(limits.maxConnections ?? 4_096);
  // Health checks and aborts must get through when generations use every connection.
  const controlPool = createPool(4);
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };

  const post = async (call: EnginePost, signal: AbortSignal): Promise<EngineBody> => {
    const { statusCode, body } = await withDeadline(answerTimeoutMs, signal, (limited) =>
      pool.request({
        method: 'POST',
        path: base + call.path,
        headers: { ...headers, ...call.headers },
        body: call.body,
        signal: limited,
        headersTimeout: answerTimeoutMs,
        bodyTimeout: idleTimeoutMs,
      }),
    );
    const chunks = readChunks(body, signal);
    if (statusCode >= 200 && statusCode < 300) return { chunks, maxBytes };
    throw toStatusFailure(statusCode, await readText(chunks, errorBytes).catch(() => ''));
  };

  const control = async (call: ControlRequest, signal: AbortSignal): Promise<ControlAnswer> => {
    const { method, path, timeoutMs = controlTimeoutMs } = call;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const body = method === 'GET' ? null : JSON.stringify(call.body);
      const options = { headers, body, signal: limited, ...patient };
      const answer = await controlPool.request({ method, path: base + path, ...options });
      return { status: answer.statusCode, json: parseJson(await readText(answer.body, controlBytes)) };
    } catch (error) {
      signal.throwIfAborted();
      if (limited.aborted) throw engineTimeout('engine_silent');
      throw toConnectionFailure(error, false);
    }
  };

  const stop = async (): Promise<void> => {
    await Promise.all([pool.destroy(), controlPool.destroy()]);
  };
  return { post, control, totalTimeoutMs, stop };
}

/** The deadline applies until the head of the answer; afterwards only the caller's signal does. */
async function withDeadline<Result>(
  deadlineMs: number,
  signal: AbortSignal,
  run: (limited: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const limit = createLimitedSignal(signal, deadlineMs);
  try {
    return await run(limit.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw limit.isLate() ? engineTimeout('engine_silent') : toConnectionFailure(error, false);
  } finally {
    limit.clear();
  }
}

interface ClosableBytes extends AsyncIterable<Uint8Array> {
  destroy(): unknown;
}

async function* readChunks(body: ClosableBytes, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const close = (): void => void body.destroy();
  signal.addEventListener('abort', close, { once: true });
  try {
    for await (const chunk of body) yield chunk;
  } catch (error) {
    signal.throwIfAborted();
    throw toConnectionFailure(error, true);
  } finally {
    signal.removeEventListener('abort', close);
    body.destroy();
  }
  signal.throwIfAborted();
}

export async function readText(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const bytes = await readBounded(chunks, maxBytes);
  if (bytes === undefined) throw engineFailed('engine_answer_too_large');
  return Buffer.from(bytes.buffer).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
