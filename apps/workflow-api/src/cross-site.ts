import { AppError } from '@weir/errors';
import type { RequestHandler } from 'express';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
// The API that clients know changes something by a GET here.
const changesInSpite = /\/dequeue\/?$/i;
const foreignSites: ReadonlySet<string> = new Set(['cross-site', 'same-site']);

/**
 * Refuses changes that a page of another origin makes through its visitor's browser, which says so in a header. Without sign-in
 * the browser's reach is all that such a page needs. Clients other than browsers do not send the header.
 */
export function refuseCrossSite(): RequestHandler {
  return (req, _res, next) => {
    if (
      (!safeMethods.has(req.method) || changesInSpite.test(req.path)) &&
      foreignSites.has(req.get('sec-fetch-site') ?? '')
    ) {
      throw new AppError('forbidden', 'Requests from pages of other sites may not change anything.', {
        reason: 'cross_site',
      });
    }
    next();
  };
}
