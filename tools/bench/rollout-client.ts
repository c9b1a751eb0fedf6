import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface RawAnswer {
  readonly status: number;
  /** With the sizes of its chunks, if the server sent it in chunks. */
  readonly body: Buffer;
}

/** One keep-alive connection. Requests are prepared bytes, so that the client is not part of the measurement. */
export interface RawConnection {
  /** False once the server has closed it, which it may do between two requests. */
  readonly isOpen: boolean;
  /** Sends one request at a time. */
  send(request: Buffer): Promise<RawAnswer>;
  close(): void;
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = await connected(port);
  let chunks: Buffer[] = [];
  let missing = 0;
  let isChunked = false;
  let settle: { resolve: (answer: RawAnswer) => void; reject: (error: Error) => void } | undefined;
  let status = 0;
  let lost: Error | undefined;
  const fail = (error: Error): void => {
    lost ??= error;
    settle?.reject(lost);
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    missing -= chunk.length;
    if (status === 0) {
      const all = chunks.length === 1 ? chunk : Buffer.concat(chunks);
      const end = all.indexOf(headEnd);
      chunks = [all];
      if (end < 0) return;
      const head = all.toString('latin1', 0, end);
      status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
      if (length === undefined && !isChunked && status < 400 && status !== 204) {
        fail(new Error(`An answer without a length: ${head}`));
        return;
      }
      chunks = [all.subarray(end + headEnd.length)];
      missing = Number(length ?? 0) - (all.length - end - headEnd.length);
    }
    if (isChunked ? !chunks.at(-1)?.subarray(-lastChunk.length).equals(lastChunk) : missing > 0) return;
    const answer = { status, body: Buffer.concat(chunks) };
    chunks = [];
    status = 0;
    settle?.resolve(answer);
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
  return {
    get isOpen() {
      return lost === undefined;
    },
    send: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        if (lost === undefined) socket.write(request);
        else reject(lost);
      }),
    close: () => {
      settle = undefined;
      socket.destroy();
    },
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

export interface RawRequest {
  readonly path: string;
  readonly key: string;
  /** JSON text. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function requestBytes({ path, key, body, headers = {} }: RawRequest): Buffer {
  const bytes = Buffer.from(body);
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${bytes.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

export interface Load {
  readonly port: number;
  readonly clients: number;
  readonly count: number;
  /** The bytes of the next request of a client. */
  readonly next: (client: number) => Buffer;
  /** After this time, no further call begins. Default: no limit. */
  readonly maxMs?: number;
  /** Whether a call may fail, after which its client stops. Default false: it ends the run. */
  readonly mayFail?: boolean;
}

export interface LoadResult {
  /** Of each call that succeeded, in milliseconds. */
  readonly times: readonly number[];
  readonly failed: number;
  readonly perSecond: number;
}

/** Each client sends its next request after the answer to the last one. */
export async function measureLoad(load: Load): Promise<LoadResult> {
  const { port, clients, count, next, maxMs = Infinity, mayFail = false } = load;
  const connections = await Promise.all(Array.from({ length: clients }, () => openConnection(port)));
  const times: number[] = [];
  let failed = 0;
  let left = count;
  const begin = performance.now();
  await Promise.all(
    connections.map(async (connection, client) => {
      while (left > 0 && performance.now() - begin < maxMs) {
        left -= 1;
        const request = next(client);
        const start = performance.now();
        const answer = await connection.send(request).catch((error: unknown) => error as Error);
        if ('status' in answer && answer.status === 200) {
          times.push(performance.now() - start);
          continue;
        }
        if (!mayFail) throw 'status' in answer ? new Error(`${answer.status}: ${answer.body.toString()}`) : answer;
        failed += 1;
        return;
      }
    }),
  );
  const perSecond = (times.length * 1000) / (performance.now() - begin);
  for (const connection of connections) connection.close();
  return { times, failed, perSecond };
}

export function quantile(times: readonly number[], part: number): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length * part)] ?? Number.NaN;
}
