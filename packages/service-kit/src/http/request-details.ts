import type { Request } from 'express';

/** What the access log says of a request beyond what can be read from it when it ends. */
export interface RequestDetails {
  /** The pattern of the route that took it: `/api/v1/users/{userId}`. */
  readonly route?: string;
  readonly principalId?: string;
  /** In place of the status sent, where the answer was broken off after its head was out. */
  readonly status?: number;
}

const details = new WeakMap<Request, RequestDetails>();

/** Adds to what is known of a request. Bound endpoints do it themselves; a route mounted by hand may. */
export function addRequestDetails(req: Request, more: RequestDetails): void {
  details.set(req, { ...details.get(req), ...more });
}

export function getRequestDetails(req: Request): RequestDetails {
  return details.get(req) ?? {};
}
