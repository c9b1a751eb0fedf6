import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { ReachableNode } from './reach-node';
import { remoteNodeFailed, remoteNodeTimeout } from './remote-node-errors';

export interface NodeRequest {
  readonly method: string;
  /** The path below the address of the API, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body is JSON. */
  readonly body?: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** Counts the nodes that a request has passed. */
export const hopsHeader = 'weir-hops';
const maxHeaderBytes = 32 * 1024;

/**
 * Sends a request to a node, on a connection of its own, and resolves with the head of its answer; redirects are not
 * followed. From then on the answer fails once the node has sent nothing for its timeout. Rejects with
 * `remote_node_failed` or `remote_node_timeout`.
 */
export function requestNode(node: ReachableNode, request: NodeRequest): Promise<IncomingMessage> {
  const { method, path, body, signal } = request;
  const { name, authorization, skipTlsVerify, timeoutMs } = node;
  const target = new URL(`${node.apiBaseUrl}${path}`);
  const headers = {
    ...request.headers,
    // The answer is passed on unchanged, but has to be read here.
    'accept-encoding': 'identity',
    [hopsHeader]: '1',
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(body.byteLength) }),
  };
  return new Promise((resolve, reject) => {
    const options = { method, headers, signal, agent: false, maxHeaderSize: maxHeaderBytes } as const;
    const client =
      target.protocol === 'https:'
        ? https.request(target, { ...options, rejectUnauthorized: !skipTlsVerify })
        : http.request(target, options);
    const deadline = setTimeout(() => client.destroy(remoteNodeTimeout(name, timeoutMs)), timeoutMs);
    client.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(deadline);
      reject(toNodeError(name, error));
    });
    client.once('response', (response) => {
      clearTimeout(deadline);
      response.setTimeout(timeoutMs, () => response.destroy(remoteNodeTimeout(name, timeoutMs)));
      resolve(response);
    });
    client.end(body);
  });
}

/**
 * Returns the whole body, for answers that are read here. Rejects as `requestNode` does, and for a body of more than
 * `maxBytes`.
 */
export async function readNodeBody(
  { name, timeoutMs }: ReachableNode,
  response: IncomingMessage,
  maxBytes: number,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  const deadline = setTimeout(() => response.destroy(remoteNodeTimeout(name, timeoutMs)), timeoutMs);
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.byteLength;
      if (size > maxBytes) throw remoteNodeFailed(name, `answered with more than ${maxBytes} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch (error) {
    throw toNodeError(name, error as NodeJS.ErrnoException);
  } finally {
    clearTimeout(deadline);
  }
}

function toNodeError(name: string, error: NodeJS.ErrnoException): Error {
  if ('reason' in error) return error;
  // The message of Node may quote the address; the code is enough for the caller.
  return remoteNodeFailed(name, `could not be reached (${error.code ?? error.name})`);
}
