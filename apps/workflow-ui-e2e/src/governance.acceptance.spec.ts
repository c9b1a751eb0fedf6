import type { Page } from 'playwright-core';
import { usePages, type OpenedPage } from './support/use-pages';

const pages = usePages();
const password = 'a rather long sentence';

beforeAll(async () => {
  await pages.server().setUp();
  for (const name of ['finance', 'research']) await pages.server().call('POST', '/workspaces', { name });
});

const openUsers = (): Promise<OpenedPage> => pages.openAsAdmin({ path: 'users' });

/** A row of a table has the name of its head. */
const rowOf = (page: Page, name: string) => page.getByRole('row', { name, exact: true });

async function whoami(key: string): Promise<number> {
  const answer = await fetch(`${pages.server().url}api/v1/auth/me`, { headers: { authorization: `Bearer ${key}` } });
  return answer.status;
}

it('adds a user with a role in one workspace, changes it, and deletes it, statement 44', async () => {
  const { page, complaints } = await openUsers();
  await page.getByRole('button', { name: 'Add a user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Username').fill('grace');
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('radio', { name: 'Chosen workspaces only' }).click();
  await dialog.getByRole('button', { name: /Role in finance/ }).click();
  await page.getByRole('option', { name: 'operator' }).click();
  await dialog.getByRole('button', { name: 'Add a user' }).click();
  await rowOf(page, 'grace').filter({ hasText: 'operator in finance' }).waitFor();

  await page.getByRole('button', { name: 'Actions of grace' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByText('May sign in').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await rowOf(page, 'grace').filter({ hasText: 'disabled' }).waitFor();

  await page.getByRole('button', { name: 'Actions of grace' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('grace is signed out everywhere').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('grace was deleted.').waitFor();
  expect(complaints).toEqual([]);
});

it('shows in the form why the server refuses a user, statement 57', async () => {
  const { page } = await openUsers();
  await page.getByRole('button', { name: 'Add a user' }).click();
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('dialog').getByRole('button', { name: 'Add a user' }).click();

  await page.getByRole('dialog').getByRole('alert').waitFor();
});

it('shows who may do what where, statement 44', async () => {
  const access = { all: false, grants: [{ workspace: 'finance', role: 'developer' }] };
  await pages.server().call('POST', '/users', { username: 'lin', password, role: 'viewer', workspaceAccess: access });
  const { page } = await pages.openAsAdmin({ path: 'roles' });

  const people = page.getByRole('grid', { name: 'Who may do what where' });
  await people
    .getByRole('row', { name: 'lin' })
    .filter({ hasText: /viewer.*developer.*–/ })
    .waitFor();
  await rowOf(page, 'Create a user')
    .filter({ hasText: /yes.*no.*no.*no.*no/ })
    .waitFor();
  await rowOf(page, 'Stop a run')
    .filter({ hasText: /yes.*yes.*yes.*yes.*no/ })
    .waitFor();
});

it('shows a key once, limits it, and revokes it, statement 45', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'api-keys' });
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('ci');
  await page.getByRole('radio', { name: 'Chosen workspaces only' }).click();
  await page.getByRole('button', { name: /Role in research/ }).click();
  await page.getByRole('option', { name: 'operator' }).click();
  await page.getByText('Reading').click();
  await page.getByText('Mine').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
  const key = await page.getByLabel('Key', { exact: true }).innerText();
  await expect(whoami(key)).resolves.toBe(200);
  await page.getByRole('button', { name: 'Done' }).click();
  const rights = /operator in research.*limited to read.*of /;
  await rowOf(page, 'ci').filter({ hasText: rights }).waitFor();
  await expect(page.getByText(key).count()).resolves.toBe(0);

  await page.getByRole('button', { name: 'Rotate ci' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await rowOf(page, 'ci 2').filter({ hasText: rights }).waitFor();
  await expect(whoami(key)).resolves.toBe(200);
  await page.getByRole('button', { name: 'Revoke ci', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The key ci was revoked.').waitFor();
  await expect(whoami(key)).resolves.toBe(401);
  expect(complaints).toEqual([]);
});

it('rotates a key whose old one is refused at once, statement 45', async () => {
  const answer = await pages.server().call('POST', '/api-keys', { name: 'deploy', role: 'operator' });
  const { key } = (await answer.json()) as { key: string };
  const { page } = await pages.openAsAdmin({ path: 'api-keys' });
  await page.getByRole('button', { name: 'Rotate deploy' }).click();
  await page.getByText('Is refused at once').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  const next = await page.getByLabel('Key', { exact: true }).innerText();

  await expect(whoami(key)).resolves.toBe(401);
  await expect(whoami(next)).resolves.toBe(200);
});

it('adds, changes and deletes a workspace, statement 44', async () => {
  const { page } = await pages.openAsAdmin({ path: 'workspaces' });
  await page.getByRole('button', { name: 'Add a workspace' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('platform');
  await page.getByRole('dialog').getByRole('button', { name: 'Add a workspace' }).click();
  await page.getByRole('row', { name: /platform/ }).waitFor();
  await page.getByRole('button', { name: 'Actions of platform' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

  await page.getByText('The workspace platform was deleted.').waitFor();
});

it('keeps theme, density, zone and keys, and displays the zone, statement 40', async () => {
  const { page } = await pages.openAsAdmin({ path: 'settings' });
  await page.getByRole('radio', { name: 'Dark' }).click();
  await page.getByRole('radio', { name: 'Compact' }).click();
  await page.getByRole('button', { name: /Time zone/ }).click();
  await page.getByRole('option', { name: 'UTC', exact: true }).click();
  await page.getByText(/Times are written like .* UTC/).waitFor();
  await page.getByText('Single keys are shortcuts').click();
  await page.reload();

  await page.getByText(/Times are written like .* UTC/).waitFor();
  const root = page.locator('html');
  await expect(root.getAttribute('data-theme')).resolves.toBe('dark');
  await expect(root.getAttribute('data-density')).resolves.toBe('compact');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog').count()).resolves.toBe(0);
});

it('lists the browsers of the person and signs the others out, statement 3', async () => {
  const other = await pages.openAsAdmin({ context: {} });
  const { page } = await pages.openAsAdmin({ path: 'settings' });
  await page.getByRole('row').filter({ hasText: 'this one' }).waitFor();
  await page.getByRole('button', { name: 'Sign the others out' }).click();
  await page.getByText(/signed out\./).waitFor();

  await other.page.reload();
  await other.page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor();
});
