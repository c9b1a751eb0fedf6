import { createManualClock, createRecordingLogger, signInAtProvider, startIdentityProvider } from '@weir/test-kit';
import type { IdentityProvider, ManualClock } from '@weir/test-kit';
import { Secret } from '@weir/service-kit';
import { unaudited } from '../../access/audited-operation';
import { systemRandom } from '../../adapters/random-source';
import { createLocalKey, createSealer } from '../../encryption';
import type { AgentStores } from './agent-stores';
import { createInMemoryAgentStores } from './in-memory-agent-stores';
import { createProviderLogins, type ProviderLogins } from './provider-logins';

const asAda = { principalId: 'ada', audit: unaudited };
const redirectUri = 'http://127.0.0.1:9/callback';
const baseUrl = 'https://models.example.com/v1';
const hour = 3_600_000;

let provider: IdentityProvider;
let clock: ManualClock;
let stores: AgentStores;
let logins: ProviderLogins;

beforeAll(async () => {
  provider = await startIdentityProvider({ redirectUri, people: { grace: {} } });
}, 60_000);
afterAll(() => provider.stop());
beforeEach(() => {
  clock = createManualClock(new Date());
  stores = createInMemoryAgentStores();
  logins = create();
});

const create = (scopes = ['openid', 'offline_access']): ProviderLogins =>
  createProviderLogins({
    providers: ['corp', 'other'].map((id) => ({
      id,
      name: id,
      issuer: provider.issuer,
      clientId: provider.clientId,
      scopes,
      redirectUri,
      clientSecret: new Secret(provider.clientSecret),
      baseUrl: id === 'corp' ? baseUrl : 'https://other.example.com',
    })),
    agentStores: stores,
    clock,
    random: systemRandom,
    logger: createRecordingLogger(),
    sealer: createSealer(() => Promise.resolve([createLocalKey(Buffer.alloc(32, 1))])),
    fetch: (url, init) => fetch(url, init),
  });
const begin = async () => {
  const { flowId, authUrl } = await logins.start('corp', 'ada');
  return { flowId, redirectUrl: await signInAtProvider({ address: authUrl, redirectUri, person: 'grace' }) };
};
const signIn = async () => {
  const { flowId, redirectUrl } = await begin();
  return logins.complete('corp', flowId, { redirectUrl }, asAda);
};
const token = async (address = baseUrl) => (await logins.tokenFor(address))?.reveal();
const expired = { code: 'invalid_request', reason: 'agent_login_expired' };
const refused = { code: 'invalid_request', reason: 'agent_login_refused' };

it('signs in, and calls models at the address of the provider with the token, and no others', async () => {
  await expect(signIn()).resolves.toMatchObject({ id: 'corp', connected: true, canRefresh: true, accountId: 'grace' });

  expect(await token(`${baseUrl}/chat`)).toEqual(expect.stringMatching(/^\S{20,}$/) as string);
  for (const address of [
    'https://other.example.com',
    'https://models.example.com:444/v1',
    'http://models.example.com',
  ]) {
    expect(await token(address)).toBeUndefined();
  }
  expect(JSON.stringify(await stores.logins.find('corp'))).not.toContain(await token());
});

it('renews the token before it expires, once for concurrent calls', async () => {
  await signIn();
  const first = await token();
  clock.advance(hour);
  const [second, third] = await Promise.all([token(), token()]);

  expect(second).not.toBe(first);
  expect(third).toBe(second);
  expect(await token()).toBe(second);
});

it('is not connected once a token that cannot be renewed has expired', async () => {
  logins = create(['openid']);
  await signIn();
  expect(await token()).toBeDefined();
  clock.advance(2 * hour);

  expect(await token()).toBeUndefined();
  expect((await logins.list())[0]).toMatchObject({ id: 'corp', connected: false, canRefresh: false });
});

it('accepts the code alone', async () => {
  const { flowId, redirectUrl } = await begin();
  const code = new URL(redirectUrl).searchParams.get('code') ?? '';
  await expect(logins.complete('corp', flowId, { code }, asAda)).resolves.toMatchObject({ connected: true });
});

it('refuses a login that was used', async () => {
  const { flowId, redirectUrl } = await begin();
  await logins.complete('corp', flowId, { redirectUrl }, asAda);
  await expect(logins.complete('corp', flowId, { redirectUrl }, asAda)).rejects.toMatchObject(expired);
});

it('refuses a login after ten minutes', async () => {
  const { flowId, redirectUrl } = await begin();
  clock.advance(10 * 60_000);
  await expect(logins.complete('corp', flowId, { redirectUrl }, asAda)).rejects.toMatchObject(expired);
});

it('refuses a login of another provider, of another admin, and an unknown one', async () => {
  const { flowId, redirectUrl } = await begin();
  const complete = (providerId: string, id: string, principalId: string) =>
    logins.complete(providerId, id, { redirectUrl }, { principalId, audit: unaudited });

  await expect(complete('other', flowId, 'ada')).rejects.toMatchObject(expired);
  await expect(complete('corp', flowId, 'eve')).rejects.toMatchObject(expired);
  await expect(complete('corp', 'x', 'ada')).rejects.toMatchObject(expired);
  await expect(complete('corp', flowId, 'ada')).resolves.toMatchObject({ connected: true });
});

it('refuses the answer of another login, by its state and by its code', async () => {
  const [mine, theirs] = [await begin(), await begin()];
  await expect(logins.complete('corp', mine.flowId, { redirectUrl: theirs.redirectUrl }, asAda)).rejects.toMatchObject(
    refused,
  );
  const third = await begin();
  const code = new URL(mine.redirectUrl).searchParams.get('code') ?? '';
  await expect(logins.complete('corp', third.flowId, { code }, asAda)).rejects.toMatchObject(refused);
});

it('removes only its token when it is disconnected', async () => {
  await signIn();
  await logins.disconnect('corp', unaudited);

  expect(await token()).toBeUndefined();
  expect(await logins.list()).toEqual([
    { id: 'corp', name: 'corp', connected: false },
    { id: 'other', name: 'other', connected: false },
  ]);
  await expect(logins.disconnect('none', unaudited)).rejects.toMatchObject({ reason: 'agent_provider_unknown' });
});
