import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrap } from '@weir/ui-kit/app';
import { api } from './client';
import { readTokens, type InteractionAddress } from './read-tokens';
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
    queryFn: ({ signal }) => unwrap(api.GET('/rl/sessions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function tasksQuery(filter: { readonly text?: string | undefined; readonly cursor?: string | undefined }) {
  return queryOptions({
    queryKey: ['tasks', filter],
    queryFn: ({ signal }) => unwrap(api.GET('/rl/tasks', { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function sessionQueryOf(sessionId: string) {
  return queryOptions({
    queryKey: ['session', sessionId, 'summary'],
    queryFn: ({ signal }) => unwrap(api.GET('/rl/sessions/{sessionId}', { params: { path: { sessionId } }, signal })),
  });
}

export function forestQuery(sessionId: string, choices: RewardChoices) {
  return queryOptions({
    queryKey: ['session', sessionId, 'forest', choices],
    queryFn: ({ signal }) => {
      const params = { path: { sessionId }, query: toQuery(choices) };
      return unwrap(api.GET('/rl/sessions/{sessionId}/forest', { params, signal }));
    },
    placeholderData: keepPreviousData,
  });
}

export function rowsQuery(sessionId: string, choices: RowChoices) {
  return queryOptions({
    queryKey: ['session', sessionId, 'rows', choices],
    queryFn: ({ signal }) => {
      const params = { path: { sessionId }, query: { ...toQuery(choices), style: choices.style } };
      return unwrap(api.GET('/rl/sessions/{sessionId}/rows', { params, signal }));
    },
    placeholderData: keepPreviousData,
  });
}

/** One interaction with its conversation. */
export function readInteraction(address: InteractionAddress, signal?: AbortSignal) {
  const params = { path: { ...address } };
  return unwrap(api.GET('/rl/sessions/{sessionId}/interactions/{interactionId}', { params, signal: signal ?? null }));
}

/** What a call holds never changes; loss weights and scores of other models may. */
const recordedStaleMs = 30_000;

/** What an interaction holds never changes; only its reward does, which the forest has. */
export function interactionQuery(sessionId: string, interactionId: string) {
  return queryOptions({
    queryKey: ['interaction', sessionId, interactionId],
    queryFn: ({ signal }) => readInteraction({ sessionId, interactionId }, signal),
    staleTime: Infinity,
  });
}

export function tokensQuery(sessionId: string, interactionId: string) {
  return queryOptions({
    queryKey: ['tokens', sessionId, interactionId],
    queryFn: ({ signal }) => readTokens({ sessionId, interactionId }, signal),
    staleTime: recordedStaleMs,
    gcTime: 60_000,
  });
}

const positionsPerWindow = 128;
const alternativesPerPosition = 10;

/** The likeliest tokens around a position, which are read as somebody looks there: all of them would be too many. */
export function alternativesQuery({ sessionId, interactionId }: InteractionAddress, at: number) {
  const from = Math.floor(at / positionsPerWindow) * positionsPerWindow;
  const query = { from, limit: positionsPerWindow, count: alternativesPerPosition };
  return queryOptions({
    queryKey: ['alternatives', sessionId, interactionId, from],
    queryFn: ({ signal }) => {
      const params = { path: { sessionId, interactionId }, query };
      const operation = '/rl/sessions/{sessionId}/interactions/{interactionId}/alternatives';
      return unwrap(api.GET(operation, { params, signal }));
    },
    staleTime: recordedStaleMs,
    gcTime: 60_000,
  });
}

export function searchQuery(text: string) {
  return infiniteQueryOptions({
    queryKey: ['search', text],
    queryFn: ({ pageParam, signal }) =>
      unwrap(api.GET('/rl/search', { params: { query: { text, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled: text !== '',
  });
}

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => unwrap(api.GET('/rl/status', { signal })),
});
