import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { JsonObject } from '@weir/workflow-spec';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../files/error-code';
import type { ClusterAccess } from './cluster-access';

/** A request that the API server has answered with an error. */
export class ClusterRefusal extends Error {
  readonly status: number;
  /** A word of the API, such as NotFound. */
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

/** No answer: it may come when the request is repeated. */
export class ClusterUnreachable extends Error {
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super('The cluster cannot be reached.', { cause });
    this.code = errorCode(cause);
  }
}

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  /** The path with its query. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly signal: AbortSignal;
}

export interface ClusterApi {
  /** The answer. Throws {@link ClusterRefusal}, {@link ClusterUnreachable}, or the abort reason. */
  call(call: Call): Promise<unknown>;
  /** The bytes of an answer that goes on. Throws as `call` does. */
  stream(path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
}

const requestMs = 30_000;
/** Without a byte; the server has to send the logs of a program that prints nothing, too. */
const keepAliveMs = 15_000;
const maxAnswerBytes = 16_777_216;

export function createClusterApi(access: ClusterAccess): ClusterApi {
  return {
    call: async (call) => {
      const limit = AbortSignal.timeout(requestMs);
      try {
        const response = await send(access, { ...call, signal: AbortSignal.any([call.signal, limit]) });
        const text = await readText(response);
        if ((response.statusCode ?? 0) >= 400) throw toRefusal(response.statusCode ?? 0, text);
        return JSON.parse(text) as unknown;
      } catch (error) {
        throw toProblem(error, call.signal);
      }
    },
    stream: async (path, signal) => {
      try {
        const response = await send(access, { method: 'GET', path, signal });
        if ((response.statusCode ?? 0) < 400) return response;
        throw toRefusal(response.statusCode ?? 0, await readText(response));
      } catch (error) {
        throw toProblem(error, signal);
      }
    },
  };
}

function send(access: ClusterAccess, { method, path, body, signal }: Call): Promise<IncomingMessage> {
  const { server, token, user, ca, cert, key, serverName, isUnchecked } = access;
  const url = new URL(`${server.replace(/\/+$/, '')}${path}`);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const isSecure = url.protocol === 'https:';
  const options = {
    method,
    signal,
    headers: {
      accept: 'application/json',
      ...(text === undefined ? {} : { 'content-type': contentType(method), 'content-length': Buffer.byteLength(text) }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(token === undefined && user !== undefined
        ? { authorization: `Basic ${Buffer.from(user).toString('base64')}` }
        : {}),
    },
    ...(isSecure ? { ca, cert, key, servername: serverName, rejectUnauthorized: !isUnchecked } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = isSecure ? requestHttps(url, options, resolve) : requestHttp(url, options, resolve);
    request.once('socket', (socket) => socket.setKeepAlive(true, keepAliveMs));
    request.once('error', reject);
    request.end(text);
  });
}

function contentType(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

async function readText(response: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    bytes += part.length;
    if (bytes > maxAnswerBytes) throw actionFailed(`The cluster has answered more than ${maxAnswerBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function toRefusal(status: number, text: string): ClusterRefusal {
  try {
    const { reason = '', message = '' } = JSON.parse(text) as { reason?: string; message?: string };
    return new ClusterRefusal(status, reason, message);
  } catch {
    return new ClusterRefusal(status, '', text.slice(0, 1_000));
  }
}

function toProblem(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof ClusterRefusal) return error;
  const isOfConnection = errorCode(error) !== undefined || error instanceof SyntaxError;
  const isLate = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
  return isOfConnection || isLate ? new ClusterUnreachable(error) : error;
}
