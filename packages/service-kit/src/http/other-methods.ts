import { AppError } from '@weir/foundation';
import { expressPath } from '@weir/http-contract';
import type { Router } from 'express';

export interface Route {
  readonly method: string;
  /** The path of the endpoint, with parameters in braces. */
  readonly path: string;
}

/**
 * Answers 405 with `Allow` if a path has routes, but none for the request's method. Call it after all routes are
 * registered.
 */
export function refuseOtherMethods(router: Router, routes: readonly Route[]): void {
  for (const [path, methods] of methodsByPath(routes)) {
    const allow = [...methods].toSorted();
    router.all(expressPath(path), (req) => {
      throw new AppError('method_not_allowed', `${req.method} is not an operation of this address.`, {
        reason: 'method_not_allowed',
        details: { allow },
      });
    });
  }
}

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byPath = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    const methods = byPath.get(path) ?? new Set();
    byPath.set(path, methods.add(method));
    // Express answers HEAD for every GET route.
    if (method === 'GET') methods.add('HEAD');
  }
  return byPath;
}
