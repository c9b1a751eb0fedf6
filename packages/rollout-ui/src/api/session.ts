import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { baseAddress, unwrap } from '@weir/ui-kit/app';
import { api } from './client';

/** Whether this browser may read. */
export const sessionQuery = queryOptions({
  queryKey: ['browser-session'],
  queryFn: () => unwrap(api.GET('/rl/browser_session')),
  staleTime: Infinity,
  retry: false,
});

export async function signIn(client: QueryClient, key: string): Promise<void> {
  const session = await unwrap(api.POST('/rl/browser_session', { body: { key } }));
  client.setQueryData(sessionQuery.queryKey, session);
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

/** Loads the page anew: nothing that was seen stays in it. */
export async function signOut(): Promise<void> {
  await unwrap(api.DELETE('/rl/browser_session'));
  location.assign(baseAddress);
}
