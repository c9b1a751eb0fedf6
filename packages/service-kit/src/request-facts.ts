import type { Request } from 'express';

/** What the access log says of a request beyond what can be read from it when it ends. */
export interface RequestFacts {
  /** The pattern of the route that took it: `/api/v1/users/{userId}`. */
  readonly route?: string;
  readonly principalId?: string;
  /** In place of the status sent, where the answer was broken off after its head was out. */
  readonly status?: number;
}

const facts = new WeakMap<Request, RequestFacts>();

/** Adds to what is known of a request. Bound endpoints do it themselves; a route mounted by hand may. */
export function noteRequestFacts(req: Request, more: RequestFacts): void {
  facts.set(req, { ...facts.get(req), ...more });
}

export function requestFactsOf(req: Request): RequestFacts {
  return facts.get(req) ?? {};
}
