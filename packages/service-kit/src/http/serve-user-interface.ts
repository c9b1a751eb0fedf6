import { createHash } from 'node:crypto';
import { access, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { Router } from 'express';
import sirv from 'sirv';

const yearSeconds = 31_536_000;
const placeholder = '<base href="/" />';

/**
 * The policy for pages of the interface. Scripts and styles come from files of this server only; a page in a frame of
 * another site could trick its user into clicking.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export interface UserInterfaceOptions {
  /** The folder of the built interface. */
  readonly folder: string;
  /** Without a trailing slash; empty for none. */
  readonly basePath: string;
}

/**
 * Serves the web interface: its files, and its page for every other path that is not one of the API. To be mounted at the
 * base path, after everything else.
 */
export function serveUserInterface({ folder, basePath }: UserInterfaceOptions): RequestHandler {
  const router = Router({ caseSensitive: true });
  // The names of these files change with their content.
  router.use('/assets', serveAssets(path.join(folder, 'assets')));
  router.get('/icon.svg', (_req, res) => res.sendFile(path.join(folder, 'icon.svg')));
  const page = readPage(folder, basePath);
  router.get('/{*path}', (req, res, next) => {
    if (isPage(req)) sendPage(res, page);
    else next();
  });
  return router;
}

const immutable = { immutable: true, maxAge: yearSeconds } as const;

/** `sirv` lists the files once and ends the process when one of them is gone, as when another version is installed. */
function serveAssets(folder: string): RequestHandler {
  const send = sirv(folder, { brotli: true, gzip: true, etag: true, ...immutable });
  return (req, res, next) => {
    access(path.join(folder, path.normalize(req.path)), (missing) => {
      if (missing === null) send(req, res, next);
      else next();
    });
  };
}

/** A missing file of an older version must not be answered with a page: the browser would take it for a script. */
function isPage({ path: address }: Request): boolean {
  return !/^\/(?:api|assets)(?:\/|$)/.test(address);
}

interface Page {
  readonly text: string;
  readonly etag: string;
}

function readPage(folder: string, basePath: string): Page {
  const built = readFileSync(path.join(folder, 'index.html'), 'utf8');
  if (!built.includes(placeholder)) throw new Error(`The page in ${folder} has no place for the base path.`);
  const text = built.replace(placeholder, `<base href="${basePath}/" />`);
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

function sendPage(res: Response, { text, etag }: Page): void {
  res.set({
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy,
    'content-type': 'text/html; charset=utf-8',
    etag,
  });
  // Express answers 304 where the entity tag is the caller's.
  res.send(text);
}
