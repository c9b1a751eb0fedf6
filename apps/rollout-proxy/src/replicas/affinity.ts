import { setTimeout as sleepFor } from 'node:timers/promises';
import { AppError } from '@weir/foundation';
import { addRequestDetails, disconnectSignal, type JsonBodyReader } from '@weir/service-kit';
import type { Request, RequestHandler, Response } from 'express';
import { hashKey, markReplicaRequest, readKey } from '../features/access';
import { sessionMoved } from '../features/sessions';
import { createForwarding, type ForwardRequest } from './forward-request';
import type { Lease } from './lease';
import { markInvalid, replicaUnreachable } from './replica-errors';
import { markHeader, type Mark, type ReplicaMarks } from './replica-mark';
import type { SessionName } from './session-directory';
import type { SessionPlaces } from './session-places';

export interface AffinityOptions {
  readonly lease: Lease;
  readonly places: SessionPlaces;
  readonly marks: ReplicaMarks;
  /** Whether it is the admin key or the read-only key, which name their session in the path or the body. */
  readonly mayRead: (key: string) => boolean;
  /** Whether it comes from a browser that has signed in, and that all processes know; it names its session in the path. */
  readonly isBrowser: (req: Request) => boolean;
  /** Reads the bodies of control operations. */
  readonly readBody: JsonBodyReader;
}

const bodiesWithSession = new Set([
  '/rl/set_reward',
  '/rl/set_loss_weight',
  '/rl/end_session',
  '/rl/score_session',
  '/export_trajectories',
  '/rl/acknowledge_export',
]);
const withoutLease = new Set(['/health', '/ready', '/metrics', '/openapi.json']);
const pauseMs = 200;

/**
 * Lets a request pass whose session is in this process, after it was taken over where it has no owner, and forwards any
 * other one to the owner. A request that was forwarded is not forwarded again.
 */
export function createAffinity(options: AffinityOptions): RequestHandler {
  const { lease, marks } = options;
  const forward = createForwarding(lease);
  return async (req, res, next) => {
    const isForwarded = readMark(req, lease, marks);
    if (!withoutLease.has(req.path)) lease.assertHeld();
    const name = await nameSession(req, res, options);
    if (name === undefined || (await isHere({ name, isForwarded, req, res, forward }, options))) next();
  };
}

interface Search {
  readonly name: SessionName;
  readonly isForwarded: boolean;
  readonly req: Request;
  readonly res: Response;
  readonly forward: ForwardRequest;
}

/** Resolves with `false` once the request was answered by its owner. */
async function isHere({ name, isForwarded, req, res, forward }: Search, options: AffinityOptions): Promise<boolean> {
  const { lease, places, marks } = options;
  // A lease that is not renewed is over by then.
  const deadlineMs = performance.now() + 1.25 * lease.leaseMs + 5_000;
  for (let isFresh = false; ; isFresh = true) {
    const place = await places.find(name, { isFresh, isForwarded });
    if (place === 'here' || place === 'unknown') return true;
    if (isForwarded) throw sessionMoved();
    addRequestDetails(req, { route: 'forwarded to another replica' });
    const request = { method: req.method, target: req.originalUrl };
    const mark = marks.create({ from: lease.number, to: place.number }, request);
    if ((await forward({ req, res, replica: place, mark })) === 'answered') return false;
    if (performance.now() > deadlineMs) throw replicaUnreachable();
    await sleepFor(pauseMs, undefined, { signal: disconnectSignal(res) });
  }
}

/** Whether the request comes from another replica. Throws where it only says so, or is meant for an earlier lease. */
function readMark(req: Request, lease: Lease, marks: ReplicaMarks): boolean {
  if (req.get(markHeader) === undefined) return false;
  const mark = markOf(req, marks);
  if (mark === undefined) throw markInvalid();
  if (mark.to !== lease.number) throw sessionMoved();
  markReplicaRequest(req);
  return true;
}

export function markOf(req: Request, marks: ReplicaMarks): Mark | undefined {
  return marks.read(req.get(markHeader) ?? '', { method: req.method, target: req.originalUrl });
}

/** `undefined` where a request is about no session, or where the route itself has to refuse it. */
async function nameSession(
  req: Request,
  res: Response,
  { mayRead, isBrowser, readBody }: AffinityOptions,
): Promise<SessionName | undefined> {
  const inPath = /^\/rl\/sessions\/([^/]+)/.exec(req.path)?.[1];
  const key = readKey(req);
  if (key === undefined && !isBrowser(req)) return undefined;
  if (key !== undefined && !mayRead(key)) return { keyHash: hashKey(key) };
  if (inPath !== undefined) return { id: decode(inPath) };
  if (req.path === '/rl/search' && typeof req.query.session_id === 'string') return { id: req.query.session_id };
  if (req.method !== 'POST' || !bodiesWithSession.has(req.path)) return undefined;
  const body = await readBody(req, res);
  if (typeof body !== 'object' || body === null || !('session_id' in body)) return undefined;
  return typeof body.session_id === 'string' ? { id: body.session_id } : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new AppError('invalid_request', 'The address is not valid.', { reason: 'address_invalid', cause });
  }
}
