import { request as requestPlain, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Blob;
  readonly acceptsAnyCertificate: boolean;
  readonly signal: AbortSignal;
  /** With 0, a redirection itself is the response. */
  readonly maxRedirects: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: IncomingHttpHeaders;
  /** Must be read or destroyed. */
  readonly body: IncomingMessage;
}

/**
 * Sends a request and follows redirections. Rejects without a response with an `AppError` that holds neither address nor
 * headers, and after an abort with the reason of the signal.
 */
export async function sendRequest(call: HttpRequest): Promise<HttpResponse> {
  let current = call;
  for (let followed = 0; ; followed += 1) {
    const body = await send(current);
    const next = call.maxRedirects === 0 ? undefined : nextRequest(current, body);
    if (!next) {
      const { statusCode = 0, statusMessage = '', headers } = body;
      return { status: statusCode, reason: statusMessage, headers, body };
    }
    body.destroy();
    if (followed === call.maxRedirects) throw actionFailed(`More than ${call.maxRedirects} redirects.`);
    current = next;
  }
}

function send(call: HttpRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, signal, acceptsAnyCertificate } = call;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(signal.aborted ? asError(signal.reason) : noResponse(error));
    try {
      // Without an agent, no connection outlives the step.
      const options = { method, headers: { ...headers, ...contentLength(call) }, signal, agent: false } as const;
      const handleResponse = (response: IncomingMessage) => {
        // The reader of the body sees its errors; the error of an unread body must not crash the process.
        response.on('error', () => undefined);
        resolve(response);
      };
      const request =
        url.protocol === 'https:'
          ? requestTls(url, { ...options, rejectUnauthorized: !acceptsAnyCertificate }, handleResponse)
          : requestPlain(url, options, handleResponse);
      request.on('error', fail);
      if (body) pipeline(Readable.fromWeb(body.stream()), request).catch(fail);
      else request.end();
    } catch (error) {
      fail(error);
    }
  });
}

function contentLength({ body, method }: HttpRequest): Readonly<Record<string, string>> {
  if (body) return { 'content-length': String(body.size) };
  return method === 'GET' || method === 'HEAD' ? {} : { 'content-length': '0' };
}

function noResponse(error: unknown): Error {
  if (error instanceof Error && error.name === 'NotReadableError') {
    return actionFailed('A file of the request changed while it was sent.', error);
  }
  const code = errorCode(error);
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN') {
    return actionFailed('A header of the request contains an invalid character.', error);
  }
  return actionFailed(`The request got no response (${code ?? 'unknown error'}).`, error);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The request was stopped.');
}

const redirections = new Set([301, 302, 303, 307, 308]);
/** Credentials for one server are not sent to another. */
const ownHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);

function nextRequest(call: HttpRequest, { statusCode = 0, headers }: IncomingMessage): HttpRequest | undefined {
  const { location } = headers;
  if (!redirections.has(statusCode) || location === undefined) return undefined;
  if (!URL.canParse(location, call.url.href)) throw actionFailed('A redirect leads to an invalid URL.');
  const url = new URL(location, call.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw actionFailed('A redirect leads to a URL that is not http or https.');
  }
  const isSameServer = url.origin === call.url.origin;
  const remaining = Object.entries(call.headers).filter(([name]) => isSameServer || !ownHeaders.has(name));
  const { body, ...next } = { ...call, url, headers: Object.fromEntries(remaining) };
  return becomesGet(statusCode, call.method) ? asGet(next) : { ...next, ...(body ? { body } : {}) };
}

function becomesGet(status: number, method: string): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return status === 303 || (method === 'POST' && (status === 301 || status === 302));
}

function asGet(call: HttpRequest): HttpRequest {
  const remaining = Object.entries(call.headers).filter(([name]) => !name.startsWith('content-'));
  return { ...call, method: 'GET', headers: Object.fromEntries(remaining) };
}
