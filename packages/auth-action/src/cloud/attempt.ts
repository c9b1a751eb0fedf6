import { readBounded } from '@weir/primitives';
import type { IncomingMessage } from 'node:http';
import { parseUrl } from './address';
import type { ServiceResponse, ServiceCall, CallFailure } from './service-call';
import { classifyFailure, OversizedResponse, refusedTunnel } from './failures';
import { createTunnel, findProxy, type Proxy } from './proxy';

const maxResponseBytes = 256 * 1024;
const maxRedirects = 3;

/** Sends the call once; the timeout includes redirects. Throws only errors that a retry cannot fix. */
export async function attemptCall(call: ServiceCall, timeoutMs: number): Promise<ServiceResponse | CallFailure> {
  const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
  let url = call.url;
  for (let redirects = 0; ; redirects += 1) {
    const outcome = await attemptOnce({ ...call, url }, signal);
    const next = redirects < maxRedirects ? findRedirect(call, url, outcome) : undefined;
    if (next === undefined) return outcome;
    url = next;
  }
}

// Only a GET within the same origin is redirected, because the request carries a bearer token.
function findRedirect(call: ServiceCall, url: URL, outcome: ServiceResponse | CallFailure): URL | undefined {
  if (call.method !== 'GET' || 'reason' in outcome || ![301, 302, 303, 307, 308].includes(outcome.status))
    return undefined;
  const target = parseUrl(outcome.location ?? '', url);
  return target?.origin === url.origin ? target : undefined;
}

async function attemptOnce(call: ServiceCall, signal: AbortSignal): Promise<ServiceResponse | CallFailure> {
  const proxy = await findProxy(call.url);
  const tunnel: Tunnel = { proxy, isOpening: proxy !== undefined, refusedWith: undefined };
  try {
    const response = await sendRequest(call, signal, tunnel);
    const result = await readResponse(response, signal);
    if (tunnel.refusedWith === undefined) return result;
    return refusedTunnel(tunnel.refusedWith, result);
  } catch (error) {
    return classifyFailure(error, { signal, isTunnelling: tunnel.isOpening });
  }
}

interface Tunnel {
  readonly proxy: Proxy | undefined;
  isOpening: boolean;
  refusedWith: number | undefined;
}

async function sendRequest(call: ServiceCall, signal: AbortSignal, tunnel: Tunnel): Promise<IncomingMessage> {
  const { request } = call.url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  // No keep-alive: a retry on a new connection cannot fail because the peer has closed the old one.
  const agent = tunnel.proxy === undefined ? false : await createTunnel(tunnel.proxy, signal);
  return new Promise((resolve, reject) => {
    const outgoing = request(call.url, { method: call.method, headers: call.headers, agent, signal }, resolve);
    outgoing.on('error', reject);
    outgoing.on('close', () => reject(new Error('The connection was closed before a response.')));
    outgoing.on('proxyConnect', (connect: { readonly statusCode: number }) => {
      tunnel.isOpening = false;
      if (connect.statusCode !== 200) tunnel.refusedWith = connect.statusCode;
    });
    outgoing.end(call.body);
  });
}

async function readResponse(response: IncomingMessage, signal: AbortSignal): Promise<ServiceResponse> {
  // The signal of the request may no longer apply once the response has started.
  signal.addEventListener('abort', () => response.destroy(), { once: true });
  const bytes = await readBounded(response as AsyncIterable<Buffer>, maxResponseBytes);
  if (bytes === undefined) throw new OversizedResponse(`more than ${maxResponseBytes} bytes`);
  const { 'retry-after': retryAfter, date, location } = response.headers;
  const body = Buffer.from(bytes).toString('utf8');
  return { status: Number(response.statusCode), body, retryAfter, date, location };
}
