import type { ApiClient } from '@weir/api-client';
import type { SearchResponse, ServiceStatus, SessionsListResponse } from '@weir/rollout-contract';
import type { Paths } from '@weir/rollout-contract/paths';

// While replicas are replaced one after the other, some are of an earlier version, whose answers lack the fields that
// were added since: what they would say is left out rather than that every list fails.

type Client = Pick<ApiClient<Paths>, 'GET'>;
type QueryOf<Path extends keyof Paths> = Paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? Query
  : never;

export async function askSessions(client: Client, query?: QueryOf<'/rl/sessions'>): Promise<SessionsListResponse> {
  const { data } = await client.GET('/rl/sessions', { params: { ...(query && { query }) } });
  return { ...data, sessions: data.sessions.map(withModels) };
}

export async function askStatus(client: Client): Promise<ServiceStatus> {
  return withModels((await client.GET('/rl/status')).data);
}

/** Matches without a position come first, and may come again with the next page. */
export async function askSearch(client: Client, query: NonNullable<QueryOf<'/rl/search'>>): Promise<SearchResponse> {
  const { data } = await client.GET('/rl/search', { params: { query } });
  const unknown = { position: query.cursor ?? '999999999999999.0' };
  return { ...data, matches: data.matches.map((match) => ({ ...unknown, ...match })) };
}

const withoutModels = { models: [] };

export function withModels<Answer extends { models: readonly unknown[] }>(answer: Answer): Answer {
  return { ...withoutModels, ...answer };
}
