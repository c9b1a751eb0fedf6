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
import { findInaccessible, findPoorContrast } from '@weir/test-kit/browser';
import type { Page } from 'playwright-core';
import { admin } from './support/start-server';
import { usePages } from './support/use-pages';

const pages = usePages();
let callback: Callback;

beforeAll(async () => {
  await pages.server().setUp();
  await pages.server().call('POST', '/dags', { name: 'greeting', spec: 'steps: [{run: echo hello}]\n' });
  callback = await listenForCode();
});
afterAll(() => callback.server.close());

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
  await page.getByRole('button', { name: 'Sign in' }).click();
}

it('signs in a chat client that knows only the address, after the person has signed in and consented', async () => {
  const signIn = new ChatClientSignIn();
  const transport = await begin(signIn);
  const { page } = await pages.open({ path: 'settings' });
  await page.goto(signIn.page?.href ?? '');
  await signInByPassword(page);

  await page.getByText('Chat client of the specs').waitFor();
  await page.getByText(callback.address).waitFor();
  await expect(page.getByRole('radio', { name: /Read only/ }).isChecked()).resolves.toBe(true);

  const code = callback.next();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await transport.finishAuth(await code);
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(tools(), { authProvider: signIn }));
  expect((await call(client, 'list_dags', {})).text).toContain('greeting');
  expect(await call(client, 'start_dag', { fileName: 'greeting' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('scope_missing') as string,
  });
  await client.close();
});

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
