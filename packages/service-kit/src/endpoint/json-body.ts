import { AppError, yieldToEventLoop } from '@weir/foundation';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { isDeeperThan } from './json-depth';

/** Reads the JSON body of one request; `undefined` if there is none. */
export type JsonBodyReader = (req: Request, res: Response) => Promise<unknown>;

export interface JsonBodyOptions {
  /** Largest body in bytes, as sent and also after decompression. */
  readonly maxBytes: number;
  /** Default: `JSON.parse`. Throws for malformed JSON. */
  readonly parse?: (text: string) => unknown;
}

const maxDepth = 100;
const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/**
 * A reader that is called once access is settled, so that a caller without a credential cannot make the server read a body.
 * Throws `payload_too_large` as soon as the limit is passed, and `invalid_request` for malformed JSON, text that is
 * not UTF-8, another media type, nesting deeper than 100 levels or a body that was cut off.
 */
export function createJsonBodyReader({ maxBytes, parse = JSON.parse }: JsonBodyOptions): JsonBodyReader {
  const readRaw = express.raw({ limit: maxBytes, type: () => true });
  return async (req, res) => {
    if (!hasBody(req)) return undefined;
    assertJsonType(req);
    const bytes = await readBytes(req, res, readRaw, maxBytes);
    return bytes.length === 0 ? undefined : await parseJson(bytes, parse);
  };
}

function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

function assertJsonType(req: Request): void {
  if (req.is(['json', '+json']) === false) {
    throw new AppError('invalid_request', 'Send the body as JSON, with the header "Content-Type: application/json".', {
      reason: 'body_not_json',
    });
  }
  const named = charset.exec(req.get('content-type') ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (named !== 'utf-8' && named !== 'utf8') throw notUtf8();
}

/** Resolves with the decompressed body. The parser reads on after a failure, so the limit is watched here as well. */
function readBytes(req: Request, res: Response, readRaw: RequestHandler, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
      reject(tooLarge(maxBytes));
      return;
    }
    let received = 0;
    req.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxBytes) reject(tooLarge(maxBytes));
    });
    readRaw(req, res, (error?: unknown) => {
      const body: unknown = req.body;
      if (error === undefined && Buffer.isBuffer(body)) resolve(body);
      else reject(isTooLarge(error) ? tooLarge(maxBytes, error) : unreadable(error));
    });
  });
}

/** Larger bodies are received, decoded and parsed in parts, between which other requests are answered. */
const partBytes = 256 * 1024;

async function parseJson(bytes: Buffer, parse: (text: string) => unknown): Promise<unknown> {
  const isLarge = bytes.length > partBytes;
  if (isLarge) await yieldToEventLoop();
  const text = decodeUtf8(bytes);
  if (isLarge) await yieldToEventLoop();
  if (isDeeperThan(text, maxDepth)) {
    throw new AppError('invalid_request', `The body is nested deeper than ${maxDepth} levels.`, {
      reason: 'body_too_deep',
    });
  }
  try {
    return parse(text);
  } catch {
    // The parser's message quotes the body, which may hold a password, so it does not become the cause.
    throw new AppError('invalid_request', 'The body is not valid JSON.', { reason: 'body_not_json' });
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw notUtf8(cause);
  }
}

function notUtf8(cause?: unknown): AppError {
  return new AppError('invalid_request', 'The body is not UTF-8.', { reason: 'body_not_utf8', cause });
}

function tooLarge(maxBytes: number, cause?: unknown): AppError {
  return new AppError('payload_too_large', `The body is larger than ${maxBytes} bytes.`, {
    reason: 'body_too_large',
    cause,
  });
}

/** The body was cut off, compressed in an unknown way, or damaged. */
function unreadable(cause: unknown): AppError {
  return new AppError('invalid_request', 'The body could not be read.', { reason: 'body_unreadable', cause });
}

/** Express's body parser names its failures by `type`; this is the edge where they become ours. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}
