import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { AppError } from '@weir/foundation';
import { contentType, type Content, type Endpoint, type FileAnswer, type ServerEvent } from '@weir/http-contract';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { sendEvents } from '../http/event-stream';
import { PassedAnswer, sendPassedAnswer } from './passed-answer';
import { sendFile } from './send-file';
import { watchAccess, type AccessWatch } from './watch-access';

/** Sends the result of a handler in the form that its endpoint declares. */
export async function sendAnswer(
  endpoint: Endpoint,
  result: unknown,
  req: Request,
  res: Response,
  access: AccessWatch,
): Promise<void> {
  if (result instanceof PassedAnswer) return sendPassedAnswer(res, result, watchAccess(res, result.body, access));
  const { status, schema, content, isCompressed } = endpoint.success;
  res.status(status);
  if (content !== undefined && (schema === undefined || result instanceof Uint8Array)) {
    await sendContent(endpoint, content, result, { req, res, access });
    return;
  }
  if (schema === undefined) res.end();
  else if (isCompressed === true)
    await sendCompressed(JSON.stringify(cutToSchema(schema, result)), req, res.type('json'));
  else res.json(cutToSchema(schema, result));
}

const compress = promisify(zstdCompress);
/** Higher levels take several times as long, and save a few percent of a list of token ids. */
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

async function sendCompressed(body: string | Buffer, req: Request, res: Response): Promise<void> {
  res.vary('accept-encoding');
  if (req.acceptsEncodings('zstd') === false) res.send(body);
  else res.set('content-encoding', 'zstd').send(await compress(body, fastest));
}

/** Leaves out every field that the contract does not name. */
function cutToSchema(schema: z.ZodType, result: unknown): unknown {
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new AppError('internal', 'The response did not match the contract.', {
    reason: 'answer_invalid',
    cause: parsed.error,
  });
}

interface Exchange {
  readonly req: Request;
  readonly res: Response;
  readonly access: AccessWatch;
}

/** The types of the handler say which result belongs to which kind. */
async function sendContent(endpoint: Endpoint, content: Content, result: unknown, { req, res, access }: Exchange) {
  switch (content.kind) {
    case 'file':
      return sendFile(req, res, result as FileAnswer, contentType(content));
    case 'events':
      return sendEvents(res, watchAccess(res, result as AsyncIterable<ServerEvent>, access));
    case 'text':
    case 'bytes':
      res.set('content-type', contentType(content));
      allowCaching(endpoint, result as string | Uint8Array, res);
      if (endpoint.success.isCompressed === true) return sendCompressed(toBuffer(result as Uint8Array), req, res);
      // Express answers 304 where the entity tag is the caller's.
      res.send(typeof result === 'string' ? result : toBuffer(result as Uint8Array));
  }
}

function allowCaching({ success: { cacheSeconds } }: Endpoint, body: string | Uint8Array, res: Response): void {
  if (cacheSeconds === undefined) return;
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  res.set({ etag, 'cache-control': `public, max-age=${cacheSeconds}` });
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
