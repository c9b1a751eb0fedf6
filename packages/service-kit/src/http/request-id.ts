import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';

const header = 'x-request-id';
const acceptable = /^[A-Za-z0-9._-]{1,64}$/;
const ids = new WeakMap<Request, string>();

/** Gives every request an id: the caller's when it is short and plain, a new one otherwise. It is sent back too. */
export function requestIds(): RequestHandler {
  return (req, res, next) => {
    const given = req.get(header);
    const id = given !== undefined && acceptable.test(given) ? given : randomUUID();
    ids.set(req, id);
    res.set(header, id);
    next();
  };
}

/** The id given by {@link requestIds}; the empty text where that did not run. */
export function getRequestId(req: Request): string {
  return ids.get(req) ?? '';
}
