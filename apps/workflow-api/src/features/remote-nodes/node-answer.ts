import type { IncomingMessage } from 'node:http';
import { contentType, type Endpoint } from '@weir/http-contract';
import { PassedAnswer } from '@weir/service-kit';
import { readNodeBody } from './node-request';
import type { ReachableNode } from './reach-node';
import { remoteNodeFailed } from './remote-node-errors';

const maxJsonBytes = 32 * 1024 * 1024;
const json = 'application/json';
/** Headers that are kept of a successful answer that is not JSON; never cookies, and none about the connection. */
const passedHeaders = ['content-length', 'content-disposition', 'content-range', 'accept-ranges', 'etag'] as const;

/**
 * Reads the answer of a node in the form that the contract declares for the operation. Rejects with
 * `remote_node_failed` for everything else: a redirect, a page, a refused credential.
 */
export async function readNodeAnswer(
  node: ReachableNode,
  endpoint: Endpoint,
  response: IncomingMessage,
): Promise<PassedAnswer> {
  const status = response.statusCode ?? 0;
  const fail = (problem: string): never => {
    response.destroy();
    throw remoteNodeFailed(node.name, problem, { status });
  };
  // If the status were passed on, it would mean that the caller is signed out.
  if (status === 401) return fail('refused the credential that this server has for it');
  if (status >= 300 && status < 400) return fail('answered with a redirect, which is not followed');
  const type = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const { content, schema } = endpoint.success;
  if (status >= 200 && status < 300 && content !== undefined && !(schema !== undefined && type === json)) {
    const expected = contentType(content);
    if (type !== expected.split(';')[0]) return fail(`answered with ${describeType(type)} instead of ${expected}`);
    return passStream(response, status, expected, content.kind);
  }
  if (status === 416 && content?.kind === 'file') return passStream(response, status, contentType(content), 'file');
  return passJson(node, response, { status, type, fail });
}

async function passJson(
  node: ReachableNode,
  response: IncomingMessage,
  { status, type, fail }: { readonly status: number; readonly type: string; readonly fail: (problem: string) => never },
): Promise<PassedAnswer> {
  const etag = pick(response, ['etag']);
  const body = await readNodeBody(node, response, maxJsonBytes);
  if (body.byteLength === 0 && status < 300) return new PassedAnswer(status, etag, toParts());
  if (type !== json || !isJson(body)) return fail(`answered with ${describeType(type)} instead of JSON (${status})`);
  const headers = { ...etag, 'content-type': `${json}; charset=utf-8`, 'content-length': String(body.byteLength) };
  return new PassedAnswer(status, headers, toParts(body));
}

function passStream(response: IncomingMessage, status: number, type: string, kind: string): PassedAnswer {
  const headers = {
    ...pick(response, passedHeaders),
    'content-type': type,
    // As with files of this server, no browser may render the file as a page.
    ...(kind === 'file' ? { 'content-security-policy': "sandbox; default-src 'none'" } : {}),
    ...(kind === 'file' && response.headers['content-disposition']?.startsWith('attachment') !== true
      ? { 'content-disposition': 'attachment' }
      : {}),
    ...(kind === 'events' ? { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' } : {}),
  };
  return new PassedAnswer(status, headers, response as AsyncIterable<Uint8Array>);
}

function pick(response: IncomingMessage, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = response.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

// oxlint-disable-next-line typescript/require-await -- it is a stream of what is there
async function* toParts(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

function describeType(type: string): string {
  return type === '' ? 'an unknown type' : type.slice(0, 100);
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
