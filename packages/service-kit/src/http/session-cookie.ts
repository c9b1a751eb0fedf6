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
}

/** No script reads the cookie, no page of another site has it sent, and over TLS it stays there. */
export function setSessionCookie(req: Request, res: Response, { name, value, path, expires }: SessionCookie): void {
  res.cookie(name, value, { path, expires, httpOnly: true, sameSite: 'strict', secure: req.secure });
}

/** The value of a cookie of the request. */
export function readCookie({ headers }: Request, name: string): string | undefined {
  return headers.cookie === undefined ? undefined : parse(headers.cookie)[name];
}
