import { setTimeout as delay } from 'node:timers/promises';
import { AppError, errorCodes } from '@weir/foundation';
import type { Secret } from '@weir/service-kit';
import { z } from 'zod';
import {
  calls,
  workerIdHeader,
  type AnswerOf,
  type CallName,
  type RequestOf,
} from '../features/worker-gateway/protocol';

export interface ServerConnectionOptions {
  /** The address of the server, with its base path. */
  readonly url: string;
  readonly token: Secret;
  /** Failed calls are tried again for this time. */
  readonly retryMs: number;
  /** Aborted when the worker stops: no call is tried again. */
  readonly stopping: AbortSignal;
  /** Called when the server does not know the token any more. */
  readonly onRefused: () => void;
}

export interface ServerConnection {
  /**
   * Performs a call. Rejects with the refusal of the server, an `AppError`, and with another error when the call could
   * not be performed, or when its answer was lost.
   */
  readonly call: <Name extends CallName>(
    name: Name,
    request: z.input<(typeof calls)[Name]['request']> | RequestOf<Name>,
    signal?: AbortSignal,
  ) => Promise<AnswerOf<Name>>;
  /** Returns `undefined` where there is nothing. */
  readonly readBytes: (place: string, query: Readonly<Record<string, string | number>>) => Promise<Buffer | undefined>;
  readonly writeBytes: (
    place: string,
    query: Readonly<Record<string, string | number>>,
    bytes: Uint8Array | ReadableStream<Uint8Array>,
  ) => Promise<void>;
  /** The id of this worker, which `hello` has answered. */
  workerId: string;
}

/** Longer than the server waits before it answers. */
const answerMs = 40_000;
/** As long as the server waits for the bytes of a request. */
const transferMs = 60_000;
const firstPauseMs = 250;
const longestPauseMs = 5_000;

/** A second try of these would do something else, so they are tried again only when they have not reached the server. */
const onceOnly: ReadonlySet<CallName> = new Set([
  'claim',
  'awaitWork',
  'startChild',
  'retryChild',
  'setState',
  'deleteState',
]);

const Refusal = z.object({ code: z.enum(errorCodes), message: z.string(), reason: z.string().optional() });

/** `unsent` has not reached the server, and of `lost` nobody knows; a server that has `refused` does so again. */
type Failure = 'unsent' | 'lost' | 'refused';

class CallFailed extends Error {
  constructor(
    message: string,
    readonly failure: Failure,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'CallFailed';
  }
}

/** Speaks to the server of a worker that has no database. The token goes to this address only, never to where it redirects. */
export function createServerConnection(options: ServerConnectionOptions): ServerConnection {
  const { url, token, retryMs, stopping, onRefused } = options;
  const base = `${url}/api/v1/worker`;

  const send = async (
    path: string,
    { type, ...init }: Omit<RequestInit, 'headers'> & { readonly type?: string },
    { signal, limitMs = answerMs }: { readonly signal?: AbortSignal | undefined; readonly limitMs?: number } = {},
  ): Promise<Response> => {
    const headers = {
      authorization: `Bearer ${token.reveal()}`,
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(connection.workerId === '' ? {} : { [workerIdHeader]: connection.workerId }),
    };
    const limit = AbortSignal.timeout(limitMs);
    let response;
    try {
      response = await fetch(`${base}${path}`, {
        ...init,
        headers,
        redirect: 'error',
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new CallFailed(`The server ${url} does not answer.`, isUnsent(error) ? 'unsent' : 'lost', error);
    }
    if (response.ok) return response;
    if (response.status === 422) throw toRefusal(await response.json());
    await response.body?.cancel();
    if (response.status === 401) {
      onRefused();
      throw new CallFailed(`The server ${url} does not know the worker token.`, 'refused');
    }
    const failure = response.status >= 500 || response.status === 429 ? 'lost' : 'refused';
    throw new CallFailed(`The server ${url} answers with ${response.status}.`, failure);
  };

  const repeat = async <Answer>(
    once: () => Promise<Answer>,
    isOnceOnly: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Answer> => {
    const until = performance.now() + retryMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await once();
      } catch (error) {
        const failure = error instanceof CallFailed ? error.failure : 'refused';
        const isRepeated = failure === 'unsent' || (failure === 'lost' && !isOnceOnly);
        if (!isRepeated || stopping.aborted || performance.now() + pauseMs > until) throw error;
        await delay(pauseMs, undefined, signal && { signal });
      }
    }
  };

  const connection: ServerConnection = {
    workerId: '',
    call: (name, request, signal) =>
      repeat(
        async () => {
          const body = JSON.stringify(request);
          const init = { method: 'POST', type: 'application/json', body };
          const response = await send(`/calls/${name}`, init, { signal });
          return calls[name].answer.parse(await readJson(response)) as never;
        },
        onceOnly.has(name),
        signal,
      ),
    readBytes: (place, query) =>
      repeat(
        async () => {
          const response = await send(`/${place}?${toQuery(query)}`, { method: 'GET' }, { limitMs: transferMs });
          return response.status === 204 ? undefined : Buffer.from(await readBody(response));
        },
        false,
        undefined,
      ),
    writeBytes: async (place, query, bytes) => {
      const type = 'application/octet-stream';
      const init =
        bytes instanceof Uint8Array
          ? { method: 'PUT', type, body: new Uint8Array(bytes) }
          : { method: 'PUT', type, body: bytes, duplex: 'half' as const };
      const response = await send(`/${place}?${toQuery(query)}`, init, { limitMs: transferMs });
      await response.body?.cancel();
    },
  };
  return connection;
}

function toQuery(query: Readonly<Record<string, string | number>>): string {
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(entries).toString();
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw new CallFailed('The answer of the server was cut off.', 'lost', error);
  }
}

async function readBody(response: Response): Promise<ArrayBuffer> {
  try {
    return await response.arrayBuffer();
  } catch (error) {
    throw new CallFailed('The answer of the server was cut off.', 'lost', error);
  }
}

function toRefusal(body: unknown): AppError {
  const { code, message, reason } = Refusal.parse(body);
  return new AppError(code, message, reason === undefined ? {} : { reason });
}

const unsentCodes: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Whether the request has certainly not reached the server. */
function isUnsent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && unsentCodes.includes(cause.code);
}
