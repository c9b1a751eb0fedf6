import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { baseAddress } from '@weir/ui-kit/app';
import { api, ask } from './client';

/** Whether this browser may read. */
export const sessionQuery = queryOptions({
  queryKey: ['browser-session'],
  queryFn: () => ask(api.getBrowserSession()),
  staleTime: Infinity,
  retry: false,
});

export async function signIn(client: QueryClient, key: string): Promise<void> {
  const session = await ask(api.signIn({ body: { key } }));
  client.setQueryData(sessionQuery.queryKey, session);
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

/** Loads the page anew: nothing that was seen stays in it. */
export async function signOut(): Promise<void> {
  await ask(api.signOut());
  location.assign(baseAddress);
}
