import { AppError } from '@weir/foundation';
import type { JsonBodyReader } from '@weir/service-kit';
import type { RequestHandler } from 'express';

const halfOfPair = /\p{Cs}/u;

/** JSON allows NUL and halves of surrogate pairs, but PostgreSQL stores neither and no file name can hold them. */
function isUnusableText(text: string): boolean {
  return text.includes('\0') || halfOfPair.test(text);
}

export function refuseUnusableAddress(): RequestHandler {
  return (req, _res, next) => {
    // Halves of surrogate pairs cannot be percent-encoded.
    if (req.originalUrl.includes('%00')) throw textUnusable('address');
    next();
  };
}

/** Returns a reader that refuses bodies with text that cannot be stored. */
export function readUsableBody(readBody: JsonBodyReader): JsonBodyReader {
  return async (req, res) => {
    const body = await readBody(req, res);
    if (isUnusable(body)) throw textUnusable('body');
    return body;
  };
}

/** The recursion is bounded, because the reader bounds the depth. */
function isUnusable(value: unknown): boolean {
  if (typeof value === 'string') return isUnusableText(value);
  if (Array.isArray(value)) return value.some(isUnusable);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => isUnusableText(key) || isUnusable(inner));
}

function textUnusable(place: 'address' | 'body'): AppError {
  return new AppError('invalid_request', `The ${place} contains a NUL character or invalid Unicode.`, {
    reason: 'text_unusable',
  });
}
