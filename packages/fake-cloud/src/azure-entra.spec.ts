import { useFakeCloud } from './testing/use-fake-cloud';

const fixture = useFakeCloud();
const { start } = fixture;

async function oidcToken(audience = 'api://AzureADTokenExchange'): Promise<string> {
  return String((await fixture.client.oidc(audience)).body.value);
}

function requestToken(assertion: string, changes: Readonly<Record<string, string>> = {}, tenant?: string) {
  const { azureApp, bases } = fixture.cloud;
  return fixture.client.form(`${bases.azure}/${tenant ?? azureApp.tenantId}/oauth2/v2.0/token`, {
    client_id: azureApp.clientId,
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
    scope: 'https://management.azure.com/.default',
    ...changes,
  });
}

describe('Microsoft Entra ID', () => {
  it('returns a token of the application for a federated token', async () => {
    await start();

    expect(await requestToken(await oidcToken(), { scope: 'https://vault.azure.net/.default openid' })).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 3599 },
    });
    expect(fixture.cloud.tokens.ofKind('azure token')).toMatchObject([
      { principal: fixture.cloud.azureApp.clientId, scopes: ['https://vault.azure.net/.default'] },
    ]);
    expect(fixture.cloud.requests.at(-1)?.body).toMatchObject({ client_assertion: '<oidc token 1>' });
  });

  it.each([
    ['another grant', { grant_type: 'password' }, 400, 'AADSTS70003'],
    ['another assertion type', { client_assertion_type: 'x' }, 400, 'AADSTS50027'],
    ['no resource', { scope: 'openid' }, 400, 'AADSTS1002012'],
    ['another application', { client_id: 'x' }, 400, 'AADSTS700016'],
    ['a wrong secret', { client_secret: 'x' }, 401, 'AADSTS7000215'],
    ['an assertion that is none', { client_assertion: 'x' }, 401, 'AADSTS50027'],
  ])('refuses %s', async (_, changes, status, code) => {
    await start();

    const { status: actual, body } = await requestToken(await oidcToken(), changes);
    expect([actual, String(body.error_description)]).toEqual([status, expect.stringContaining(code)]);
  });

  it('returns a token for the secret of the application', async () => {
    await start();
    const { clientSecret = '' } = fixture.cloud.azureApp;

    expect(await requestToken('', { client_secret: clientSecret })).toMatchObject({ status: 200 });
    expect(fixture.cloud.requests.at(-1)?.body).toMatchObject({ client_secret: '<azure client secret 1>' });
  });

  it('refuses another tenant, audience, issuer and subject, and an expired token', async () => {
    await start();
    const description = async (...args: Parameters<typeof requestToken>) =>
      String((await requestToken(...args)).body.error_description);
    const old = await oidcToken();

    expect(await description(old, {}, 'other')).toContain('AADSTS90002');
    expect(await description(await oidcToken('https://a'))).toContain('AADSTS700212');
    fixture.cloud.setClaims({ sub: 'repo:other' });
    expect(await description(await oidcToken())).toContain('AADSTS700213');
    fixture.cloud.setClaims({ iss: 'https://other.example' });
    expect(await description(await oidcToken())).toContain('AADSTS700211');
    fixture.clock.advance(400_000);
    expect(await description(old)).toContain('AADSTS700024');
  });

  it('describes its instances and the tenant', async () => {
    await start();
    const { bases, azureApp } = fixture.cloud;

    const discovery = await fixture.client.request(`${bases.azure}/common/discovery/instance`, {});
    expect(discovery.body).toMatchObject({ metadata: [{ aliases: [new URL(bases.azure).host] }] });
    const tenant = `${bases.azure}/${azureApp.tenantId}/v2.0/.well-known/openid-configuration`;
    const configuration = await fixture.client.request(tenant, {});
    expect(configuration.body.token_endpoint).toContain(`/${azureApp.tenantId}/oauth2/v2.0/token`);
  });
});
