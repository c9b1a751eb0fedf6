import { writeFile } from 'node:fs/promises';
import { freePort, startIdentityProvider, temporaryFolder, type IdentityProvider } from '@weir/test-kit';
import { usePages } from './support/use-pages';

const people = { grace: { preferred_username: 'grace', groups: ['team'] } };

let provider: IdentityProvider;
let partners: IdentityProvider;
const folder = temporaryFolder();

const pages = usePages(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const signedOutUri = `${url}/`;
  provider = await startIdentityProvider({ people, redirectUri: `${url}/oidc-callback`, signedOutUri });
  partners = await startIdentityProvider({
    people: { joe: { preferred_username: 'joe', department: 'ops' } },
    redirectUri: `${url}/oidc-callback/partners`,
    signedOutUri,
  });
  await writeFile(
    folder.file('providers.yaml'),
    `
- id: partners
  label: Sign in as a partner
  issuer: ${partners.issuer}
  client_id: ${partners.clientId}
  client_secret: ${partners.clientSecret}
  role_expression: if .department == "ops" then "operator" else empty end
  default_role: none
`,
  );
  return {
    WEIR_PORT: String(port),
    WEIR_OIDC_ISSUER: provider.issuer,
    WEIR_OIDC_CLIENT_URL: url,
    WEIR_OIDC_CLIENT_ID: provider.clientId,
    WEIR_OIDC_CLIENT_SECRET: provider.clientSecret,
    WEIR_OIDC_BUTTON_LABEL: 'Sign in with Example',
    WEIR_OIDC_GROUP_MAPPINGS: '{"team": "operator"}',
    WEIR_OIDC_PROVIDERS_FILE: folder.file('providers.yaml'),
  };
});
beforeAll(() => pages.server().setUp());
afterAll(async () => {
  await Promise.all([provider.stop(), partners.stop()]);
  await folder.remove();
});

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

it('signs in at another provider, and signs out there too, back to the page of the sign-in', async () => {
  const { page } = await pages.open({ path: 'queues' });
  const signIn = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in as a partner' }).click();
    await page.locator('input[name="login"]').fill('joe');
    await page.locator('input[name="password"]').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor();
  };
  await signIn();
  await page.getByRole('button', { name: 'joe' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.getByRole('button', { name: 'Sign in with Example' }).waitFor();
  expect(page.url()).toBe(pages.server().url);

  // The provider knows nobody any more: it asks for the name again.
  await page.goto(`${pages.server().url}queues`);
  await signIn();
});

it('tests the settings of the server, and others before they are configured, statement 46', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'settings' });
  await page.getByRole('button', { name: 'Test “Sign in with Example”' }).click();
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
