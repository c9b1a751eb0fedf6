import { isAppError } from '@weir/foundation';
import type { Response } from 'express';

export interface AccessWatch {
  /** Whether the caller still has the access with which the stream was opened. Rejects where it cannot be found out. */
  readonly check: () => Promise<boolean>;
  /** An event is sent only if access was checked within this time, in milliseconds. */
  readonly beforeEventMs: number;
  /** How often access is checked while there are no events, in milliseconds. */
  readonly idleMs: number;
}

/** The events of a stream, which is cut off once its caller has lost access: credentials end while streams are open. */
export async function* watchAccess<Part>(
  res: Response,
  events: AsyncIterable<Part>,
  { check, beforeEventMs, idleMs }: AccessWatch,
): AsyncGenerator<Part> {
  let checkedAt = performance.now();
  const hasAccess = async (): Promise<boolean> => {
    checkedAt = performance.now();
    if (await isAllowed(check)) return true;
    res.destroy();
    return false;
  };
  const idle = setInterval(() => {
    if (performance.now() - checkedAt >= idleMs) void hasAccess();
  }, idleMs);
  res.once('close', () => clearInterval(idle));
  for await (const event of events) {
    if (performance.now() - checkedAt >= beforeEventMs && !(await hasAccess())) return;
    yield event;
  }
}

async function isAllowed(check: AccessWatch['check']): Promise<boolean> {
  try {
    return await check();
  } catch (error) {
    // A database that does not answer says nothing about the caller; the next check does.
    return !(isAppError(error) && (error.code === 'unauthenticated' || error.code === 'forbidden'));
  }
}
