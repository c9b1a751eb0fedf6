import { parse } from 'cookie';
import type { Request, Response } from 'express';

/** A credential that a browser keeps and sends by itself. */
export interface SessionCookie {
  readonly name: string;
  /** Empty to remove it. */
  readonly value: string;
  /** Below which it is sent. */
  readonly path: string;
  readonly expires: Date;
  /** `lax` for one that has to come along when another site sends the browser here. Default: `strict`. */
  readonly sameSite?: 'lax' | 'strict';
}

/** No script reads the cookie, no request of another site has it sent, and over TLS it stays there. */
export function setSessionCookie(req: Request, res: Response, cookie: SessionCookie): void {
  const { name, value, path, expires, sameSite = 'strict' } = cookie;
  res.cookie(name, value, { path, expires, httpOnly: true, sameSite, secure: req.secure });
}

/** The value of a cookie of the request. */
export function readCookie({ headers }: Request, name: string): string | undefined {
  return headers.cookie === undefined ? undefined : parse(headers.cookie)[name];
}
