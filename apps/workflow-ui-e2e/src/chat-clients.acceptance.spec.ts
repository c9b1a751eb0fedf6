import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { freePort, startIdentityProvider, type IdentityProvider } from '@weir/test-kit';
import { findInaccessible, findPoorContrast } from '@weir/test-kit/browser';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { admin } from './support/start-server';
import { usePages } from './support/use-pages';

let provider: IdentityProvider;
const pages = usePages(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const people = { grace: { preferred_username: 'grace', groups: ['team'] } };
  provider = await startIdentityProvider({ people, redirectUri: `${url}/oidc-callback` });
  return {
    WEIR_PORT: String(port),
    WEIR_OIDC_ISSUER: provider.issuer,
    WEIR_OIDC_CLIENT_URL: url,
    WEIR_OIDC_CLIENT_ID: provider.clientId,
    WEIR_OIDC_CLIENT_SECRET: provider.clientSecret,
    WEIR_OIDC_BUTTON_LABEL: 'Sign in with Example',
    WEIR_OIDC_GROUP_MAPPINGS: '{"team": "operator"}',
  };
});
let callback: Callback;

beforeAll(async () => {
  await pages.server().setUp();
  await pages.server().call('POST', '/dags', { name: 'greeting', spec: 'steps: [{run: echo hello}]\n' });
  callback = await listenForCode();
});
afterAll(async () => {
  callback.server.close();
  await provider.stop();
});

const tools = (): URL => new URL('mcp', pages.server().url);

interface Callback {
  readonly server: Server;
  readonly address: string;
  /** The query of the next request. */
  readonly next: () => Promise<URLSearchParams>;
}

/** What a chat client on this machine opens to get its code. */
async function listenForCode(): Promise<Callback> {
  const waiting: ((query: URLSearchParams) => void)[] = [];
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '', 'http://127.0.0.1');
    res.end('<title>Done</title>');
    if (url.pathname === '/callback') waiting.shift()?.(url.searchParams);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    address: `http://127.0.0.1:${port}/callback`,
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
}

/** The sign-in of the official client; it knows nothing but the address of the tools. */
class ChatClientSignIn implements OAuthClientProvider {
  client: OAuthClientInformationMixed | undefined;
  issued: OAuthTokens | undefined;
  page: URL | undefined;
  private discovered: OAuthDiscoveryState | undefined;
  private verifier = '';
  readonly redirectUrl = callback.address;
  readonly clientMetadata = { client_name: 'Chat client of the specs', redirect_uris: [callback.address] };
  constructor(readonly state = () => 'of the chat client') {}
  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.client = client);
  tokens = () => this.issued;
  saveTokens = (tokens: OAuthTokens) => void (this.issued = tokens);
  redirectToAuthorization = (page: URL) => void (this.page = page);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.discovered = state);
  discoveryState = () => this.discovered;
}

const newClient = () => new Client({ name: 'spec', version: '1.0.0' });

/** Begins the sign-in; returns the page that the client wants to be opened. */
async function begin(signIn: ChatClientSignIn): Promise<StreamableHTTPClientTransport> {
  const transport = new StreamableHTTPClientTransport(tools(), { authProvider: signIn });
  await expect(newClient().connect(transport)).rejects.toThrow(UnauthorizedError);
  return transport;
}

async function call(client: Client, name: string, given: Record<string, unknown>) {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const [first] = content;
  return { isError, text: first?.type === 'text' ? first.text : '' };
}

async function signInByPassword(page: Page): Promise<void> {
  await page.getByLabel('Username').fill(admin.username);
  await page.getByLabel('Password').fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signInByProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Example' }).click();
  await page.locator('input[name="login"]').fill('grace');
  await page.locator('input[name="password"]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

/** Adds a user with a second factor. */
async function addUser(username: string): Promise<{ readonly signIn: (page: Page) => Promise<void> }> {
  const password = 'correct horse battery';
  await pages.server().call('POST', '/users', { username, password, role: 'operator' });
  const post = async (path: string, body: object, token?: string): Promise<Record<string, string>> => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(`${pages.server().url}api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Record<string, string>;
  };
  const { token } = await post('/auth/login', { username, password });
  const { secret = '' } = await post('/auth/second-factor', { password }, token);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await post('/auth/second-factor/confirm', { code: totp.generate() }, token);
  return {
    signIn: async (page) => {
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      // Each code is good once.
      const next = totp.generate({ timestamp: Date.now() + 30_000 });
      await page.getByLabel('Code of your authenticator').fill(next);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    },
  };
}

/** Most of it is escaped, and again in each address that has to keep it. */
const longState = JSON.stringify({
  page: '/chats/7?model=x&tools=weir',
  draft: '"100 %" + ünïcode & more; '.repeat(20),
});

it.each([
  ['the password', 'of the chat client', () => Promise.resolve({ signIn: signInByPassword })],
  ['the password and a second factor', longState, () => addUser('linus')],
  ['an identity provider', 'of the chat client', () => Promise.resolve({ signIn: signInByProvider })],
  ['an identity provider with a long request', longState, () => Promise.resolve({ signIn: signInByProvider })],
])(
  'signs in a chat client that knows only the address, after a sign-in by %s and the consent',
  async (_, state, addPerson) => {
    const person = await addPerson();
    const signIn = new ChatClientSignIn(() => state);
    const transport = await begin(signIn);
    const { page } = await pages.open({ path: 'settings' });
    await page.goto(signIn.page?.href ?? '');
    await person.signIn(page);

    await page.getByText('Chat client of the specs').waitFor();
    await page.getByText(callback.address).waitFor();
    await expect(page.getByRole('radio', { name: /Read only/ }).isChecked()).resolves.toBe(true);

    const code = callback.next();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const answer = await code;
    expect(answer.get('state')).toBe(state);
    await transport.finishAuth(answer);
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(tools(), { authProvider: signIn }));
    expect((await call(client, 'list_dags', {})).text).toContain('greeting');
    expect(await call(client, 'start_dag', { fileName: 'greeting' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('scope_missing') as string,
    });
    await client.close();
  },
);

it('lets a chat client start DAGs where the person says so, gets it new tokens, and ends it from the settings', async () => {
  const signIn = new ChatClientSignIn();
  const transport = await begin(signIn);
  const { page, complaints } = await pages.openAsAdmin({ path: 'settings' });
  await page.goto(signIn.page?.href ?? '');
  await page.getByRole('radio', { name: /Read only/ }).waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  expect(await findPoorContrast(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.getByText('All that I may do with the tools').click();
  const code = callback.next();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await transport.finishAuth(await code);
  await page.waitForURL(/\/callback\?code=/);

  // The client sees a 401, and exchanges its refresh token.
  const before = signIn.issued;
  if (before !== undefined) signIn.issued = { ...before, access_token: 'expired' };
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(tools(), { authProvider: signIn }));
  expect((await call(client, 'start_dag', { fileName: 'greeting' })).text).toContain('dagRunId');
  expect(signIn.issued?.refresh_token).not.toBe(before?.refresh_token);

  await page.goto(`${pages.server().url}settings`);
  const row = page.getByRole('row', { name: /Chat client of the specs/ }).filter({ hasText: 'do all that I may' });
  await row.getByRole('button', { name: 'Disconnect this chat client' }).click();
  await page.getByText('The chat client is disconnected.').waitFor();
  const answer = await fetch(tools(), { headers: { authorization: `Bearer ${signIn.issued?.access_token ?? ''}` } });
  expect(answer.status).toBe(401);
  await client.close();
});

it('tells a chat client that the person has refused', async () => {
  const signIn = new ChatClientSignIn();
  await begin(signIn);
  const { page } = await pages.openAsAdmin({ path: 'settings' });
  await page.goto(signIn.page?.href ?? '');
  const answer = callback.next();
  await page.getByRole('button', { name: 'Refuse' }).click();
  expect((await answer).get('error')).toBe('access_denied');
});

it('shows why it leads nowhere, and cannot be shown inside another page', async () => {
  const signIn = new ChatClientSignIn();
  await begin(signIn);
  const address = new URL(signIn.page?.href ?? '');
  const page = await fetch(address, { redirect: 'follow' });
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");

  address.searchParams.set('redirect_uri', 'https://attacker.example/');
  const opened = await pages.openAsAdmin({ path: 'settings' });
  const request = new URLSearchParams({ connect: address.search.slice(1) });
  await opened.page.goto(`${pages.server().url}settings?${request.toString()}`);
  await opened.page.getByText('wants its code at an address that it has not registered').waitFor();
  await expect(opened.page.getByRole('button', { name: 'Connect', exact: true }).count()).resolves.toBe(0);
});
