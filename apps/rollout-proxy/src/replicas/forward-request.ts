import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { AppError } from '@weir/foundation';
import { getRequestId } from '@weir/service-kit';
import type { Request, Response } from 'express';
import { Pool, type Dispatcher } from 'undici';
import type { Lease, Replica } from './lease';
import { replicaUnreachable } from './replica-errors';
import { markHeader } from './replica-mark';

export interface ForwardOptions {
  readonly req: Request;
  readonly res: Response;
  readonly replica: Replica;
  readonly mark: string;
}

/** `unreached`: nothing was sent, so the request can go elsewhere. */
export type Forwarded = 'answered' | 'unreached';

/**
 * Sends a request to its owner and its answer back, both as they arrive; only small requests are read first. Rejects with
 * `unavailable` (`replica_unreachable`) if the answer is lost before it began; a later interruption ends the connection
 * of the client.
 */
export type ForwardRequest = (options: ForwardOptions) => Promise<Forwarded>;

const connectMs = 3_000;
/** The limit without a byte of the answer. Streams have heartbeats; others may take as long as a generation does. */
const silenceMs = 900_000;
/** Shorter than the server keeps idle connections. */
const idleMs = 30_000;
/** Smaller requests are sent in one piece. */
const wholeBytes = 65_536;
/** These headers concern one connection, or are set again. */
const notForwarded = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'host', 'expect', 'x-request-id', markHeader],
]);

/** Connections to the other replicas are kept, and end when the replica loses its lease: it cannot answer any more. */
export function createForwarding(lease: Pick<Lease, 'goneSignal'>): ForwardRequest {
  const pools = new Map<number, Pool>();
  const open = ({ number, address }: Replica): Pool => {
    const pool = new Pool(new URL(address).origin, {
      pipelining: 1,
      connectTimeout: connectMs,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
    pools.set(number, pool);
    const close = (): void => {
      pools.delete(number);
      void pool.destroy(new Error('The replica has lost its lease.'));
    };
    lease.goneSignal(number).addEventListener('abort', close, { once: true });
    return pool;
  };
  return async (options) => {
    const { req, replica } = options;
    if (isSmall(req) && !(await readWhole(req))) return 'answered';
    return exchange(pools.get(replica.number) ?? open(replica), options);
  };
}

/** Whether the body is short enough to be read first, in the form in which the route would read it. */
function isSmall(req: Request): boolean {
  const { 'content-length': length, 'content-encoding': encoding } = req.headers;
  return encoding === undefined && length !== undefined && Number(length) <= wholeBytes && !Buffer.isBuffer(req.body);
}

/** Leaves the body where the readers of routes find it. Resolves with `false` if the client has left before its end. */
function readWhole(req: Request): Promise<boolean> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => {
      const [first = Buffer.alloc(0)] = chunks;
      req.body = chunks.length > 1 ? Buffer.concat(chunks) : first;
      resolve(true);
    });
    req.once('close', () => resolve(false));
    if (req.destroyed) resolve(false);
  });
}

function exchange(pool: Pool, { req, res, mark }: ForwardOptions): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let hasLeft = res.closed;
    let hasHead = false;
    const body = bodyOf(req);
    const leave = (): void => {
      hasLeft = true;
      controller?.abort(new Error('The client has disconnected.'));
    };
    res.once('close', leave);
    const finish = (): void => {
      res.off('close', leave);
      // Answered before its end. The rest is read, as by the owner: the client's next request comes behind it.
      if (controller !== undefined && body instanceof PassThrough) req.unpipe(body).resume();
    };
    pool.dispatch(
      { path: req.originalUrl, method: req.method, headers: headersOf(req, mark), body },
      {
        onRequestStart: (given) => {
          controller = given;
          if (hasLeft) leave();
          else if (body instanceof PassThrough) req.pipe(body);
        },
        onResponseStart: (_controller, status, headers) => {
          // What is said before the answer concerns the connection.
          if (status < 200) return;
          hasHead = true;
          startAnswer(res, status, headers);
        },
        onResponseData: (given, chunk) => {
          if (res.write(chunk)) return;
          given.pause();
          res.once('drain', () => given.resume());
        },
        onResponseEnd: () => {
          finish();
          res.end();
          resolve('answered');
        },
        onResponseError: (_controller, error) => {
          finish();
          if (hasLeft) resolve('answered');
          else if (controller === undefined) resolve('unreached');
          else reject(hasHead ? answerBroken(error) : replicaUnreachable(error));
        },
      },
    );
  });
}

/** A longer body is read once the owner is reached: until then it can go elsewhere. */
function bodyOf(req: Request): Buffer | Readable | null {
  if (Buffer.isBuffer(req.body)) return req.body;
  const hasBody = req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined;
  return hasBody ? new PassThrough() : null;
}

function headersOf(req: Request, mark: string): string[] {
  const headers = [markHeader, mark, 'x-request-id', getRequestId(req)];
  const isRead = Buffer.isBuffer(req.body);
  for (const [name, value] of Object.entries(req.headers)) {
    // A body that was read to find the session is sent as it was read, which may be decompressed.
    if (notForwarded.has(name) || (isRead && (name === 'content-encoding' || name === 'content-length'))) continue;
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.push(name, one);
  }
  return headers;
}

function startAnswer(res: Response, status: number, headers: IncomingHttpHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !notForwarded.has(name)) res.setHeader(name, value);
  }
  res.status(status);
  // A body that came with its head is sent with it, and otherwise the head alone.
  process.nextTick(() => {
    if (!res.headersSent) res.flushHeaders();
  });
}

/** Half an answer is out: the error handler ends the connection. */
const answerBroken = (cause: Error) =>
  new AppError('upstream_failed', 'The answer of another replica broke off.', {
    reason: 'replica_answer_broken',
    cause,
  });
