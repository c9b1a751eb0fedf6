import { parse } from 'cookie';
import type { Request, Response } from 'express';

/** A credential that a browser keeps and sends by itself. */
export interface SessionCookie {
  readonly name: string;
  /** The value; an empty one removes the cookie. */
  readonly value: string;
  /** The cookie is sent below this path. */
  readonly path: string;
  readonly expires: Date;
  /** `lax` for a cookie that must be sent when another site redirects the browser here. Default: `strict`. */
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
