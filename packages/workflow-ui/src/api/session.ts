import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { baseAddress, basePath, statusOf, unwrap, type Failure } from '@weir/ui-kit/app';
import { api, type Schemas } from './client';
import { liveStream } from './live-stream';

export type SignInProviders = Schemas['SignInState']['providers'];

/** The user of this page. */
export type Session =
  | { readonly state: 'signed-in'; readonly user: Schemas['User'] }
  /** The server has no sign-in: everyone may do everything. */
  | { readonly state: 'open' }
  | { readonly state: 'signed-out'; readonly providers: SignInProviders }
  /** The first admin does not exist yet. */
  | { readonly state: 'set-up'; readonly needsToken: boolean };

export const sessionQuery = queryOptions<Session, Failure>({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: Infinity,
  retry: false,
});

/** The user of a server that has no sign-in. */
const everyone = 'everyone';

async function readSession(): Promise<Session> {
  try {
    const { user } = await unwrap(api.GET('/auth/me'));
    liveStream.begin(user.id);
    return { state: 'signed-in', user };
  } catch (error) {
    if (statusOf(error) !== 401) throw error;
  }
  const { mode, needsSetup, needsSetupToken, providers } = await unwrap(api.GET('/auth/state'));
  if (mode === 'none') {
    liveStream.begin(everyone);
    return { state: 'open' };
  }
  liveStream.end();
  return needsSetup ? { state: 'set-up', needsToken: needsSetupToken } : { state: 'signed-out', providers };
}

export async function signIn(client: QueryClient, credentials: Schemas['LoginRequest']): Promise<void> {
  const { user } = await unwrap(api.POST('/auth/login', { body: { ...credentials, session: true } }));
  setUser(client, user);
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

/** Returns the page that begins a sign-in with another provider, which returns to the present page. */
export function signInAddress({ path }: SignInProviders[number]): string {
  const page = new URL(location.href);
  page.searchParams.delete(failureParameter);
  const returnTo = `${page.pathname.slice(basePath.length)}${page.search}${page.hash}`;
  return `${basePath}${path}?${new URLSearchParams({ return: returnTo }).toString()}`;
}

/** A failed sign-in returns to an address with this parameter, which has the reason. */
export const failureParameter = 'sign-in-failed';

export async function setUp(client: QueryClient, admin: Schemas['SetupRequest']): Promise<void> {
  const { user } = await unwrap(api.POST('/auth/setup', { body: { ...admin, session: true } }));
  setUser(client, user);
}

/**
 * Leaves this page, for that of the identity provider where there is one, and reloads those of other tabs, so that no
 * data of the user stays in them.
 */
export async function signOut(): Promise<void> {
  const { signOutPath } = await unwrap(api.POST('/auth/logout'));
  tellTabs('signed-out');
  location.assign(signOutPath === null ? baseAddress : `${basePath}${signOutPath}`);
}

function setUser(client: QueryClient, user: Schemas['User']): void {
  liveStream.begin(user.id);
  const session: Session = { state: 'signed-in', user };
  client.setQueryData(sessionQuery.queryKey, session);
  tellTabs('signed-in');
}

/** An action in another tab of this browser. */
export type SessionChange = 'signed-in' | 'signed-out';

let opened: BroadcastChannel | undefined;

/** One for the page, so that it does not hear itself. */
function channel(): BroadcastChannel {
  opened ??= new BroadcastChannel(`session of ${baseAddress.href}`);
  return opened;
}

/** Reports the actions of other tabs to `listener`, until the returned function is called. */
export function onSessionChange(listener: (change: SessionChange) => void): () => void {
  const hear = ({ data }: MessageEvent<SessionChange>): void => listener(data);
  channel().addEventListener('message', hear);
  return () => channel().removeEventListener('message', hear);
}

function tellTabs(change: SessionChange): void {
  channel().postMessage(change);
}
