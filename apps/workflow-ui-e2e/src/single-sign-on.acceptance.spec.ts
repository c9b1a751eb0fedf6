import { freePort, startIdentityProvider, type IdentityProvider } from '@weir/test-kit';
import { usePages } from './support/use-pages';

const people = { grace: { preferred_username: 'grace', groups: ['team'] } };

let provider: IdentityProvider;

const pages = usePages(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
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
beforeAll(() => pages.server().setUp());
afterAll(() => provider.stop());

it('signs in at the provider and returns to the requested page, still signed in after a reload, statement 46', async () => {
  const { page } = await pages.open({ path: 'queues' });
  await page.getByRole('button', { name: 'Sign in with Example' }).click();
  await page.locator('input[name="login"]').fill('grace');
  await page.locator('input[name="password"]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();

  await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/queues');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor();
  await expect(page.evaluate(() => document.cookie)).resolves.toBe('');
});

it('tests the settings of the server, and others before they are configured, statement 46', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'settings' });
  await page.getByRole('button', { name: 'Test the settings of this server' }).click();
  await page.getByRole('status').filter({ hasText: 'People can sign in with this provider.' }).waitFor();
  await page.getByRole('row', { name: 'Client' }).filter({ hasText: 'accepts its secret' }).waitFor();
  await page.getByRole('button', { name: 'Test other settings' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Issuer').fill(provider.issuer);
  await dialog.getByLabel('Client ID').fill(provider.clientId);
  await dialog.getByLabel('Client secret').fill('the secret of another client');
  await dialog.getByRole('button', { name: 'Test' }).click();

  await page.getByRole('status').filter({ hasText: 'People cannot sign in' }).waitFor();
  await page.getByRole('row', { name: 'Client' }).filter({ hasText: 'does not accept its secret' }).waitFor();
  await page.getByRole('row', { name: 'Redirect address' }).filter({ hasText: 'Passed' }).waitFor();
  expect(complaints).toEqual([]);
});

it('offers the test to admins only', async () => {
  const { page } = await pages.open();
  await pages.server().call('POST', '/users', { username: 'mia', password: 'correct horse battery', role: 'manager' });
  const data = { username: 'mia', password: 'correct horse battery', session: true };
  await page.request.post(`${pages.server().url}api/v1/auth/login`, { data });
  await page.goto(`${pages.server().url}settings`);
  await page.getByRole('heading', { name: 'Browsers that are signed in' }).waitFor();

  await expect(page.getByRole('heading', { name: 'Single sign-on' }).count()).resolves.toBe(0);
});

it('shows on the sign-in page why it failed', async () => {
  const { page } = await pages.open({ path: 'oidc-callback?code=x&state=y' });
  await page.getByRole('alert').filter({ hasText: 'was not begun in this browser' }).waitFor();
});
