import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { disconnectSignal, type AccessGuard, type JsonBodyReader } from '@weir/service-kit';
import type { Request as ExpressRequest, RequestHandler, Response as ExpressResponse } from 'express';
import type { createMcpHandler } from '@modelcontextprotocol/server';
import type { Principal } from '../access/principal';
import { markAsMcp } from '../access/surface';
import { connectWithin, createLocalClient } from '../local-api';
import type { createMcpServer } from './create-mcp-server';

const bearer = /^Bearer (?<token>.+)$/;

export interface McpParts {
  readonly createMcpHandler: typeof createMcpHandler;
  readonly createMcpServer: typeof createMcpServer;
}

export interface ServeMcpOptions {
  /** The HTTP application, whose API the tools call. */
  readonly listener: RequestListener;
  readonly basePath: string;
  readonly guard: AccessGuard<Principal>;
  /** Where a client without a token learns how to sign in; missing where it cannot. */
  readonly findMetadataAddress: (host: string | undefined) => string | undefined;
  readonly readBody: JsonBodyReader;
  readonly version: string;
  /** Called with the first request. */
  readonly load: () => Promise<McpParts>;
}

/**
 * Serves the Model Context Protocol over HTTP, without sessions. Every tool calls the API with the credential of the
 * request, so it has exactly the rights of its caller. Cookies are no credential here: requests that a browser sends
 * by itself must not start a DAG.
 */
export function serveMcp(options: ServeMcpOptions): RequestHandler {
  const { listener, basePath, guard, readBody, version, load } = options;
  const connect = connectWithin((req, res) => {
    markAsMcp(req);
    listener(req, res);
  });
  const answer = async (req: ExpressRequest, res: ExpressResponse): Promise<void> => {
    delete req.headers.cookie;
    markAsMcp(req);
    // The error handler leaves a challenge alone that is there; every other answer goes without.
    res.set(challengeOf(options, req));
    await guard(req, 'authenticated');
    res.removeHeader('www-authenticate');
    const parsedBody = await readBody(req, res);
    const token = bearer.exec(req.headers.authorization ?? '')?.groups?.token;
    const client = createLocalClient(connect, { basePath, token: () => token });
    const parts = await load();
    const handler = parts.createMcpHandler(() => parts.createMcpServer({ client, version }));
    const signal = disconnectSignal(res);
    try {
      await send(await handler.fetch(toWebRequest(req, signal), { parsedBody }), res, signal);
    } finally {
      await handler.close();
    }
  };
  return (req, res, next) => {
    answer(req, res).catch(next);
  };
}

/** The header of a 401, by which a client finds out where to sign in (RFC 9728). */
function challengeOf({ findMetadataAddress }: ServeMcpOptions, req: ExpressRequest): Record<string, string> {
  const address = findMetadataAddress(req.get('host'));
  if (address === undefined) return {};
  const error = req.headers.authorization === undefined ? '' : ', error="invalid_token"';
  return { 'www-authenticate': `Bearer realm="weir", resource_metadata="${address}"${error}` };
}

/** Leaves out the body, which is already parsed. */
function toWebRequest({ method, rawHeaders, originalUrl }: ExpressRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return new Request(new URL(originalUrl, 'http://localhost'), { method, headers, signal });
}

async function send(response: Response, res: ExpressResponse, signal: AbortSignal): Promise<void> {
  res.status(response.status).set(Object.fromEntries(response.headers)).set('cache-control', 'no-store');
  if (response.body === null) {
    res.end();
    return;
  }
  await pipeline(Readable.fromWeb(response.body), res, { signal });
}
