import { workflowContract, workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import type { EventLogsResponse } from '@weir/workflow-contract/schemas';
import { z } from 'zod';
import { roleMissing } from '../../access/auth-errors';
import { visibleWorkspaces, workspacesWithRole, type VisibleWorkspaces } from '../../access/access-rules';
import type { Bind } from '../../access/bind';
import type { Principal } from '../../access/principal';
import { createPageCursors, listHash } from '../../http/page-cursor';
import type { EventLogEntry, EventLogFilter, EventLogRepository } from './event-log-entry';

const cursors = createPageCursors(z.object({ at: z.iso.datetime(), id: z.string() }));

interface EventLogQuery {
  readonly kind?: string | undefined;
  readonly type?: string | undefined;
  readonly dagName?: string | undefined;
  readonly dagRunId?: string | undefined;
  readonly attemptId?: string | undefined;
  readonly userId?: string | undefined;
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
}

export function bindEventLogRoutes(bind: Bind, { eventLog }: { readonly eventLog: EventLogRepository }): void {
  bind(workflowContract.listEventLogs, async ({ input: { query }, principal }): Promise<EventLogsResponse> => {
    const { limit, cursor, offset, sessionId, model } = query;
    const filter = toFilter(query, managedWorkspaces(query, principal));
    const isByCursor = cursor !== undefined || query.paginationMode === 'cursor';
    const hash = listHash({ eventLog: filter });
    const position = cursor === undefined ? undefined : cursors.read(cursor, hash);
    // No entry is about a conversation or a language model.
    if (filter === undefined || sessionId !== undefined || model !== undefined) {
      return isByCursor ? { entries: [] } : { entries: [], total: 0 };
    }
    if (!isByCursor) {
      const [found, total] = await Promise.all([eventLog.list(filter, { offset, limit }), eventLog.count(filter)]);
      return { entries: found.map(present), total };
    }
    const after = position && { occurredAt: new Date(position.at), id: position.id };
    const found = await eventLog.list(filter, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      entries: page.map(present),
      ...(last === undefined
        ? {}
        : { nextCursor: cursors.write(hash, { at: last.occurredAt.toISOString(), id: last.id }) }),
    };
  });
}

/** The selected workspaces in which the principal is a manager. Throws `role_missing` or `workspace_not_found`. */
function managedWorkspaces(query: WorkspaceQuery, principal: Principal): VisibleWorkspaces {
  const visible = visibleWorkspaces(principal, workspaceSelection(query));
  const managed = workspacesWithRole(principal, 'manager');
  if (managed === undefined) return visible;
  const named = managed.filter((name) => visible.named === 'all' || visible.named.includes(name));
  if (named.length === 0) throw roleMissing('manager');
  return { unassigned: false, named };
}

/** Returns `undefined` when no entry can match. */
function toFilter(
  { attemptId, startTime, endTime, ...query }: EventLogQuery,
  workspaces: VisibleWorkspaces,
): EventLogFilter | undefined {
  const { kind, type, dagName, dagRunId, userId } = query;
  if (attemptId !== undefined && !/^[1-9]\d{0,8}$/.test(attemptId)) return undefined;
  return {
    workspaces,
    ...(kind === undefined ? {} : { kind }),
    ...(type === undefined ? {} : { type }),
    ...(dagName === undefined ? {} : { dagName }),
    ...(dagRunId === undefined ? {} : { dagRunId }),
    ...(attemptId === undefined ? {} : { attempt: Number(attemptId) }),
    ...(userId === undefined ? {} : { userId }),
    ...(startTime === undefined ? {} : { from: new Date(startTime) }),
    ...(endTime === undefined ? {} : { to: new Date(endTime) }),
  };
}

function present({
  dagName,
  dagRunId,
  occurredAt,
  recordedAt,
  attempt,
  userId,
  status,
  data,
  ...entry
}: EventLogEntry) {
  return {
    ...entry,
    schemaVersion: 1,
    sourceService: 'workflow-api',
    data: { ...data },
    ...(dagName === '' ? {} : { dagName, dagRunId, attemptId: String(attempt) }),
    occurredAt: occurredAt.toISOString(),
    recordedAt: recordedAt.toISOString(),
    ...(userId === null ? {} : { userId }),
    ...(status === null ? {} : { status }),
  };
}
