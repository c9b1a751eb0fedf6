import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();

const specOf = (workspace: string) => `labels: workspace=${workspace}\nsteps:\n  - { id: only, run: echo }\n`;

beforeAll(async () => {
  const server = pages.server();
  await server.setUp();
  for (const name of ['finance', 'research']) await server.call('POST', '/workspaces', { name });
  await server.call('POST', '/dags', { name: 'ledger', spec: specOf('finance') });
  await server.call('POST', '/dags', { name: 'training', spec: specOf('research') });
  for (const name of ['ledger', 'training', 'merge-sources']) await startAndWait(server, name, 'succeeded');
});

it('limits the lists to the chosen workspace, from page to page and after a reload', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dags' });
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await row('training').waitFor();
  await page.getByRole('button', { name: 'Workspace: All workspaces' }).click();
  await page.getByRole('menuitem', { name: 'finance' }).click();

  await row('training').waitFor({ state: 'hidden' });
  await row('ledger').waitFor();
  await page.getByRole('link', { name: 'Runs' }).click();
  await row('ledger').waitFor();
  await expect(row('training').count()).resolves.toBe(0);
  await page.reload();
  await row('ledger').waitFor();
  await expect(row('training').count()).resolves.toBe(0);
  await page.getByRole('link', { name: 'Home' }).click();
  await row('ledger').waitFor();
  await expect(row('training').count()).resolves.toBe(0);
  expect(new URL(page.url()).searchParams.get('ws')).toBe('finance');
});

it('shows items without a workspace, and then all again', async () => {
  const { page } = await pages.openAsAdmin({ path: 'runs?ws=default' });
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await row('merge-sources').waitFor();
  await expect(row('ledger').count()).resolves.toBe(0);
  await page.getByRole('button', { name: 'Workspace: No workspace' }).click();
  await page.getByRole('menuitem', { name: 'All workspaces' }).click();

  await row('ledger').waitFor();
  await row('training').waitFor();
  expect(new URL(page.url()).searchParams.has('ws')).toBe(false);
});

it('offers the visible workspaces to a user, even on a phone', async () => {
  const vera = { username: 'vera', password: 'viewing is enough' };
  const only = { all: false, grants: [{ workspace: 'research', role: 'viewer' }] };
  const created = await pages.server().call('POST', '/users', { ...vera, role: 'viewer', workspaceAccess: only });
  expect(created.status).toBe(201);
  const { page } = await pages.open({ width: 390 });
  await page.request.post(`${pages.server().url}api/v1/auth/login`, { data: { ...vera, session: true } });
  await page.goto(`${pages.server().url}dags`);
  await page.getByRole('button', { name: 'Workspace: All workspaces' }).click();

  await page.getByRole('menuitem', { name: 'research' }).waitFor();
  await expect(page.getByRole('menuitem').allInnerTexts()).resolves.not.toContain('finance');
});
