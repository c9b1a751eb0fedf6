import type { Request } from 'express';

/** Details of a request for the access log that cannot be read from the request when it ends. */
export interface RequestDetails {
  /** The pattern of the route that took it: `/api/v1/users/{userId}`. */
  readonly route?: string;
  readonly principalId?: string;
  /** Replaces the sent status if the answer broke off after its head was sent. */
  readonly status?: number;
  /** A program repeats it all the time, so it is logged at the level `debug` unless it fails. */
  readonly isRoutine?: boolean;
}

const details = new WeakMap<Request, RequestDetails>();

/** Adds to what is known of a request. Bound endpoints do it themselves; a route mounted by hand may. */
export function addRequestDetails(req: Request, more: RequestDetails): void {
  details.set(req, { ...details.get(req), ...more });
}

export function getRequestDetails(req: Request): RequestDetails {
  return details.get(req) ?? {};
}
