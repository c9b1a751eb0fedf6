import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@weir/foundation';
import { getRequestId } from '@weir/service-kit';
import type { Request, Response } from 'express';
import type { Replica } from './lease';
import { replicaUnreachable } from './replica-errors';
import { markHeader } from './replica-mark';

export interface ForwardOptions {
  readonly req: Request;
  readonly res: Response;
  readonly replica: Replica;
  readonly mark: string;
  /** Aborted when the replica has lost its lease, and so cannot answer any more. */
  readonly gone: AbortSignal;
}

/** `unreached`: nothing was sent, so the request can go elsewhere. */
export type Forwarded = 'answered' | 'unreached';

const connectMs = 3_000;
/**
 * The limit without a byte in either direction. Streams have heartbeats; other answers may take as long as a generation
 * does.
 */
const silenceMs = 900_000;
/** Shorter than the server keeps idle connections. */
const idleMs = 30_000;
const agents = {
  'http:': new http.Agent({ keepAlive: true, timeout: idleMs }),
  'https:': new https.Agent({ keepAlive: true, timeout: idleMs }),
};
/** These headers concern one connection, or are set again. */
const notForwarded = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'host', 'expect', 'x-request-id', markHeader],
]);

/**
 * Sends a request to its owner and its answer back, both as they arrive: neither is held in memory. Rejects with
 * `unavailable` (`replica_unreachable`) if the answer is lost before it began; a later interruption ends the connection
 * of the client.
 */
export async function forwardRequest(options: ForwardOptions): Promise<Forwarded> {
  const { req, res, gone } = options;
  const request = open(options);
  const abort = (): void => void request.destroy(new Error('The replica has lost its lease.'));
  const leave = (): void => void request.destroy(new Error('The client has disconnected.'));
  gone.addEventListener('abort', abort, { once: true });
  res.once('close', leave);
  let isSent = true;
  try {
    if (!(await isConnected(request))) {
      isSent = false;
      return 'unreached';
    }
    const answer = receive(request);
    if (Buffer.isBuffer(req.body)) request.end(req.body);
    else req.pipe(request);
    await sendBack(await answer, res);
    return 'answered';
  } finally {
    gone.removeEventListener('abort', abort);
    res.off('close', leave);
    // Answered before its end. The rest is read, as by the owner: the client's next request comes behind it.
    if (isSent) req.unpipe(request).resume();
    if (!request.writableFinished) request.destroy();
  }
}

function open({ req, replica, mark }: ForwardOptions): ClientRequest {
  const url = new URL(req.originalUrl, replica.address);
  const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !notForwarded.has(name)));
  // A body that was read to find the session is sent as it was read, which may be decompressed.
  if (Buffer.isBuffer(req.body)) {
    delete headers['content-encoding'];
    headers['content-length'] = String(req.body.length);
  }
  const [module, agent] = url.protocol === 'https:' ? [https, agents['https:']] : [http, agents['http:']];
  const request = module.request(url, {
    method: req.method,
    agent,
    timeout: silenceMs,
    headers: { ...headers, [markHeader]: mark, 'x-request-id': getRequestId(req) },
  });
  request.on('timeout', () => request.destroy(new Error('The replica sent nothing for too long.')));
  return request;
}

function isConnected(request: ClientRequest): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => request.destroy(new Error('The replica does not answer.')), connectMs);
    const settle = (isOpen: boolean): void => {
      clearTimeout(late);
      resolve(isOpen);
    };
    request.on('error', () => settle(false));
    request.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => settle(true));
      else settle(true);
    });
  });
}

function receive(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', (error) => reject(replicaUnreachable(error)));
    request.once('close', () => reject(replicaUnreachable()));
  });
}

async function sendBack(answer: IncomingMessage, res: Response): Promise<void> {
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !notForwarded.has(name)) res.setHeader(name, value);
  }
  res.status(answer.statusCode ?? 502);
  res.flushHeaders();
  try {
    await pipeline(answer, res);
  } catch (cause) {
    // Half an answer is out: the error handler ends the connection.
    throw new AppError('upstream_failed', 'The answer of another replica broke off.', {
      reason: 'replica_answer_broken',
      cause,
    });
  }
}
