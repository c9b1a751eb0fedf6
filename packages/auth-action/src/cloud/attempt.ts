import type { IncomingMessage } from 'node:http';
import { parseUrl } from './address';
import type { Answer, Call, Failure } from './call';
import { classifyFailure, OversizedAnswer, refusedTunnel } from './failures';
import { createTunnel, proxyFor, type Proxy } from './proxy';

const maxAnswerBytes = 256 * 1024;
const maxRedirects = 3;

/** Asks once and waits no longer than told, redirects included. Throws only what waiting cannot mend. */
export async function attemptCall(call: Call, timeoutMs: number): Promise<Answer | Failure> {
  const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
  let url = call.url;
  for (let redirects = 0; ; redirects += 1) {
    const outcome = await attemptOnce({ ...call, url }, signal);
    const next = redirects < maxRedirects ? redirectOf(call, url, outcome) : undefined;
    if (next === undefined) return outcome;
    url = next;
  }
}

/** Where to ask instead. Only for a GET and at the same origin: the request bears a token that opens doors. */
function redirectOf(call: Call, url: URL, outcome: Answer | Failure): URL | undefined {
  if (call.method !== 'GET' || 'reason' in outcome || ![301, 302, 303, 307, 308].includes(outcome.status))
    return undefined;
  const target = parseUrl(outcome.location ?? '', url);
  return target?.origin === url.origin ? target : undefined;
}

async function attemptOnce(call: Call, signal: AbortSignal): Promise<Answer | Failure> {
  const proxy = await proxyFor(call.url);
  const tunnel: Tunnel = { proxy, isOpening: proxy !== undefined, refusedWith: undefined };
  try {
    const response = await open(call, signal, tunnel);
    const answer = await readAnswer(response, signal);
    if (tunnel.refusedWith === undefined) return answer;
    return refusedTunnel(tunnel.refusedWith, answer);
  } catch (error) {
    return classifyFailure(error, { signal, isTunnelling: tunnel.isOpening });
  }
}

interface Tunnel {
  readonly proxy: Proxy | undefined;
  isOpening: boolean;
  refusedWith: number | undefined;
}

async function open(call: Call, signal: AbortSignal, tunnel: Tunnel): Promise<IncomingMessage> {
  const { request } = call.url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  // No connection is kept: a retry on a fresh one cannot meet a peer that has closed it meanwhile.
  const agent = tunnel.proxy === undefined ? false : await createTunnel(tunnel.proxy, signal);
  return new Promise((resolve, reject) => {
    const outgoing = request(call.url, { method: call.method, headers: call.headers, agent, signal }, resolve);
    outgoing.on('error', reject);
    outgoing.on('close', () => reject(new Error('The connection was closed without an answer.')));
    outgoing.on('proxyConnect', (connect: { readonly statusCode: number }) => {
      tunnel.isOpening = false;
      if (connect.statusCode !== 200) tunnel.refusedWith = connect.statusCode;
    });
    outgoing.end(call.body);
  });
}

async function readAnswer(response: IncomingMessage, signal: AbortSignal): Promise<Answer> {
  // The request's own signal may have been let go once the answer began.
  signal.addEventListener('abort', () => response.destroy(), { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new OversizedAnswer(`more than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  const { 'retry-after': retryAfter, date, location } = response.headers;
  const body = Buffer.concat(chunks).toString('utf8');
  return { status: Number(response.statusCode), body, retryAfter, date, location };
}
