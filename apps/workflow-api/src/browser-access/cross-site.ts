import { AppError } from '@weir/foundation';
import type { Request, RequestHandler } from 'express';
import type { HostRules } from './host-rules';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
// Clients know the API with a GET that changes something here.
const changesInSpite = /\/dequeue\/?$/i;
const foreignSites: ReadonlySet<string> = new Set(['cross-site', 'same-site']);

/**
 * Refuses requests to a name that does not belong to this server. A page whose name was made to resolve to this
 * server has the same origin as the answers, so nothing else keeps it from reading them.
 */
export function refuseForeignHost(rules: HostRules): RequestHandler {
  return (req, _res, next) => {
    // Only HTTP/1.0, which no browser speaks, has requests without one.
    const host = req.get('host');
    if (host !== undefined && !rules.acceptsHost(host)) {
      throw new AppError('forbidden', `This server does not answer to the name in Host. See WEIR_ALLOWED_HOSTS.`, {
        reason: 'host_not_allowed',
        details: { host },
      });
    }
    next();
  };
}

/**
 * Refuses changes that a page of another origin makes through its visitor's browser, which says so in two headers:
 * older browsers know only Origin, and some requests have only Sec-Fetch-Site. Without sign-in such a page needs
 * nothing more than the browser's network access. Clients other than browsers send neither header.
 */
export function refuseCrossSite(rules: HostRules): RequestHandler {
  return (req, _res, next) => {
    if (mayChange(req) && isFromForeignPage(req, rules)) {
      throw new AppError('forbidden', 'Requests from pages of other sites may not change anything.', {
        reason: 'cross_site',
      });
    }
    next();
  };
}

function mayChange({ method, path }: Request): boolean {
  return !safeMethods.has(method) || changesInSpite.test(path);
}

function isFromForeignPage(req: Request, rules: HostRules): boolean {
  const origin = req.get('origin');
  const site = req.get('sec-fetch-site');
  if (origin === undefined && site === undefined) return isUnexplainedRead(req);
  const isForeignOrigin = origin !== undefined && !rules.acceptsOrigin(origin, req.get('host') ?? '');
  return isForeignOrigin || foreignSites.has(site ?? '');
}

/**
 * Browsers send neither header with a GET to a server without TLS: an image of any page asks for it like a page of
 * this server. Only a script of the same origin can add a header of its own, and only browsers call themselves
 * Mozilla.
 */
function isUnexplainedRead(req: Request): boolean {
  const isOwnRequest = ['x-requested-with', 'authorization'].some((name) => req.get(name) !== undefined);
  return safeMethods.has(req.method) && !isOwnRequest && /^mozilla\//i.test(req.get('user-agent') ?? '');
}
