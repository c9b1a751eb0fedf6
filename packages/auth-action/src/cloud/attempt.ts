import { readBounded } from '@weir/foundation';
import type { IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import { loadPart } from '../runner/load-part';
import { parseUrl } from './address';
import type { ServiceResponse, ServiceCall, CallFailure } from './service-call';
import { classifyFailure, OversizedResponse, refusedTunnel } from './failures';
import { findProxy, type Environment, type Proxy } from './proxy';

const maxResponseBytes = 256 * 1024;
const maxRedirects = 3;

export interface AttemptOptions {
  /** The time limit of the attempt with its redirects. */
  readonly timeoutMs: number;
  /** The environment with the variables of proxies. */
  readonly env: Environment;
}

/** Sends the call once. Throws only errors that a retry cannot fix. */
export async function attemptCall(
  call: ServiceCall,
  { timeoutMs, env }: AttemptOptions,
): Promise<ServiceResponse | CallFailure> {
  const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
  let url = call.url;
  for (let redirects = 0; ; redirects += 1) {
    const outcome = await attemptOnce({ ...call, url }, { signal, env });
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

async function attemptOnce(
  call: ServiceCall,
  { signal, env }: { readonly signal: AbortSignal; readonly env: Environment },
): Promise<ServiceResponse | CallFailure> {
  const proxy = findProxy(call.url, env);
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
  const agent = tunnel.proxy === undefined ? false : await openTunnel(tunnel.proxy, signal);
  return new Promise((resolve, reject) => {
    const { method, headers } = call;
    // Certificates are verified even if NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    const outgoing = request(call.url, { method, headers, agent, signal, rejectUnauthorized: true }, resolve);
    outgoing.on('error', reject);
    outgoing.on('close', () => reject(new Error('The connection was closed before a response.')));
    outgoing.on('proxyConnect', (connect: { readonly statusCode: number }) => {
      tunnel.isOpening = false;
      if (connect.statusCode !== 200) tunnel.refusedWith = connect.statusCode;
    });
    outgoing.end(call.body);
  });
}

async function openTunnel(proxy: Proxy, signal: AbortSignal): Promise<Agent> {
  const { createTunnel } = await loadPart(() => import('./create-tunnel.js'));
  return createTunnel(proxy, signal);
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
