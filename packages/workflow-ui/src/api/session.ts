import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { baseAddress } from './base-address';
import { api, type Schemas } from './client';
import { statusOf, unwrap, type Failure } from './failure';

/** Who uses this page. */
export type Session =
  | { readonly state: 'signed-in'; readonly user: Schemas['User'] }
  /** The server has no sign-in: everyone may do everything. */
  | { readonly state: 'open' }
  | { readonly state: 'signed-out' }
  /** The first admin is still to be created. */
  | { readonly state: 'set-up'; readonly needsToken: boolean };

export const sessionQuery = queryOptions<Session, Failure>({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: Infinity,
  retry: false,
});

async function readSession(): Promise<Session> {
  try {
    const { user } = await unwrap(api.GET('/auth/me'));
    return { state: 'signed-in', user };
  } catch (error) {
    if (statusOf(error) !== 401) throw error;
  }
  const { mode, needsSetup, needsSetupToken } = await unwrap(api.GET('/auth/state'));
  if (mode === 'none') return { state: 'open' };
  return needsSetup ? { state: 'set-up', needsToken: needsSetupToken } : { state: 'signed-out' };
}

export async function signIn(client: QueryClient, credentials: Schemas['LoginRequest']): Promise<void> {
  const { user } = await unwrap(api.POST('/auth/login', { body: { ...credentials, session: true } }));
  setSession(client, { state: 'signed-in', user });
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

export async function setUp(client: QueryClient, admin: Schemas['SetupRequest']): Promise<void> {
  const { user } = await unwrap(api.POST('/auth/setup', { body: { ...admin, session: true } }));
  setSession(client, { state: 'signed-in', user });
}

/** Loads the page anew: nothing that the user has seen stays in it. */
export async function signOut(): Promise<void> {
  await unwrap(api.POST('/auth/logout'));
  location.assign(baseAddress);
}

function setSession(client: QueryClient, session: Session): void {
  client.setQueryData(sessionQuery.queryKey, session);
}
