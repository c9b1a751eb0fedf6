import type { RequestHandler } from 'express';

/** Accepts a bearer token in the query instead of the header, which the EventSource of browsers cannot send. */
export function readQueryToken(): RequestHandler {
  return (req, _res, next) => {
    const { token } = req.query;
    if (req.headers.authorization === undefined && typeof token === 'string') {
      req.headers.authorization = `Bearer ${token}`;
    }
    next();
  };
}
