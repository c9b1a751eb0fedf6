import type { SessionsListResponse } from '@weir/rollout-contract';
import type { Session, SessionState } from '../../session';
import { readCursor } from './page-cursor';

export interface SessionFilter {
  readonly taskId?: string | undefined;
  readonly state?: SessionState | undefined;
  /** Matches a part of the id and ignores case. */
  readonly text?: string | undefined;
  readonly order: 'oldest' | 'newest';
  /** Default: no limit. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; `null` at the end. */
  readonly nextCursor: string | null;
}

/**
 * A page of the sessions that match. The cursor is the number of the last one, so sessions that are started or removed
 * meanwhile neither shift nor repeat others. Throws `invalid_request`, reason `request_invalid`, for another cursor.
 */
export function listSessions(all: readonly Session[], filter: SessionFilter): Page<Session> {
  const { order, limit = Infinity } = filter;
  const after = filter.cursor === undefined ? undefined : readCursor(filter.cursor);
  const follows = ({ number }: Session): boolean =>
    after === undefined || (order === 'oldest' ? number > after : number < after);
  const matching = all.filter((session) => follows(session) && matches(session, filter));
  const sign = order === 'oldest' ? 1 : -1;
  const sorted = matching.sort((one, other) => sign * (one.number - other.number));
  const items = sorted.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last !== undefined && sorted.length > items.length ? String(last.number) : null };
}

/** Pages of several processes as one page. A session that has just moved may be in two. */
export function mergePages(
  pages: readonly SessionsListResponse[],
  { order, limit = Infinity }: Pick<SessionFilter, 'order' | 'limit'>,
): SessionsListResponse {
  const [only, ...others] = pages;
  if (only !== undefined && others.length === 0) return only;
  const byNumber = new Map(pages.flatMap(({ sessions }) => sessions.map((session) => [session.number, session])));
  const sign = order === 'oldest' ? 1 : -1;
  const sorted = [...byNumber.values()].sort((one, other) => sign * (one.number - other.number));
  const sessions = sorted.slice(0, limit);
  const last = sessions.at(-1);
  const hasMore = sorted.length > sessions.length || pages.some((page) => page.next_cursor !== null);
  return { sessions, next_cursor: last !== undefined && hasMore ? String(last.number) : null };
}

function matches(session: Session, { taskId, state, text }: SessionFilter): boolean {
  return (
    (taskId === undefined || session.taskId === taskId) &&
    (state === undefined || session.status().state === state) &&
    (text === undefined || session.id.toLowerCase().includes(text.toLowerCase()))
  );
}
