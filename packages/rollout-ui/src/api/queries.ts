import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, ask } from './client';
import { readTokens } from './read-tokens';
import { toQuery, type RewardChoices, type RowChoices } from './reward-choices';

export interface SessionFilter {
  readonly text?: string | undefined;
  readonly state?: 'active' | 'ending' | 'ended' | 'exported' | undefined;
  readonly task?: string | undefined;
  readonly cursor?: string | undefined;
}

export const sessionsPerPage = 50;
/** Of one task: a group is compared as a whole. */
const sessionsPerTask = 500;

/** A page of the sessions that match, newest first. */
export function sessionsQuery({ text, state, task, cursor }: SessionFilter) {
  const limit = task === undefined ? sessionsPerPage : sessionsPerTask;
  const query = { order: 'newest' as const, limit, text, state, task_id: task, cursor };
  return queryOptions({
    queryKey: ['sessions', query],
    queryFn: ({ signal }) => ask(api.listSessions({ query }, { signal })),
    placeholderData: keepPreviousData,
  });
}

export function tasksQuery(filter: { readonly text?: string | undefined; readonly cursor?: string | undefined }) {
  return queryOptions({
    queryKey: ['tasks', filter],
    queryFn: ({ signal }) => ask(api.listTasks({ query: filter }, { signal })),
    placeholderData: keepPreviousData,
  });
}

export function sessionQueryOf(sessionId: string) {
  return queryOptions({
    queryKey: ['session', sessionId, 'summary'],
    queryFn: ({ signal }) => ask(api.getSession({ params: { sessionId } }, { signal })),
  });
}

export function forestQuery(sessionId: string, choices: RewardChoices) {
  return queryOptions({
    queryKey: ['session', sessionId, 'forest', choices],
    queryFn: ({ signal }) => ask(api.getForest({ params: { sessionId }, query: toQuery(choices) }, { signal })),
    placeholderData: keepPreviousData,
  });
}

export function rowsQuery(sessionId: string, choices: RowChoices) {
  return queryOptions({
    queryKey: ['session', sessionId, 'rows', choices],
    queryFn: ({ signal }) =>
      ask(api.previewRows({ params: { sessionId }, query: { ...toQuery(choices), style: choices.style } }, { signal })),
    placeholderData: keepPreviousData,
  });
}

/** What an interaction holds never changes; only its reward does, which the forest has. */
export function interactionQuery(sessionId: string, interactionId: string) {
  return queryOptions({
    queryKey: ['interaction', sessionId, interactionId],
    queryFn: ({ signal }) => ask(api.getInteraction({ params: { sessionId, interactionId } }, { signal })),
    staleTime: Infinity,
  });
}

export function tokensQuery(sessionId: string, interactionId: string) {
  return queryOptions({
    queryKey: ['tokens', sessionId, interactionId],
    queryFn: ({ signal }) => ask(readTokens({ sessionId, interactionId }, signal)),
    staleTime: Infinity,
    gcTime: 60_000,
  });
}

export function searchQuery(text: string) {
  return infiniteQueryOptions({
    queryKey: ['search', text],
    queryFn: ({ pageParam, signal }) => ask(api.searchInteractions({ query: { text, cursor: pageParam } }, { signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled: text !== '',
  });
}

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => ask(api.getStatus({}, { signal })),
});
