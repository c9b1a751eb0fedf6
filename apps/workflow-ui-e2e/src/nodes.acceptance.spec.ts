import type { Locator, Page } from 'playwright-core';
import { startAndWait } from './support/seed-runs';
import { startServer, type UiServer } from './support/start-server';
import { usePages } from './support/use-pages';

const pages = usePages();
const quick = 'steps:\n  - run: "true"\n';
const broken = 'steps:\n  - run: exit 3\n';

let west: UiServer;
let key: string;

beforeAll(async () => {
  west = await startServer();
  await Promise.all([pages.server().setUp(), west.setUp()]);
  const created = await west.call('POST', '/api-keys', { name: 'headquarters', role: 'viewer' });
  ({ key } = (await created.json()) as { key: string });
  await west.call('POST', '/dags', { name: 'quick', spec: quick });
  await west.call('POST', '/dags', { name: 'broken', spec: broken });
  await startAndWait(west, 'quick', 'succeeded');
  await startAndWait(west, 'broken', 'failed');
  await pages.server().call('POST', '/dags', { name: 'quick', spec: quick });
  await startAndWait(pages.server(), 'quick', 'succeeded');
});

afterAll(() => west.stop());

const rowOf = (page: Page, name: string): Locator => page.getByRole('row', { name });

async function choose(page: Page, name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${name}` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

async function cellsOf(row: Locator): Promise<readonly string[]> {
  const cells = await row.getByRole('gridcell').allInnerTexts();
  return cells.map((text) => text.trim());
}

async function add(page: Page, name: string, address: string, token: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a node' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Node', { exact: true }).fill(name);
  await dialog.getByLabel('Address of its API').fill(address);
  await dialog.getByLabel('Token', { exact: true }).fill(token);
  await dialog.getByRole('button', { name: 'Add a node' }).click();
}

it('adds another server, and shows its runs beside those of this one, statement 52', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'nodes' });
  await page.getByRole('heading', { name: 'There is no other server yet' }).waitFor();
  await add(page, 'west', `${west.url}api/v1`, key);
  await page.getByText('The node west was added.').waitFor();
  await rowOf(page, 'west').filter({ hasText: 'Reachable' }).waitFor();
  await rowOf(page, 'This server').filter({ hasText: 'Reachable' }).waitFor();

  // State, running, waiting, failed and succeeded.
  await expect(cellsOf(rowOf(page, 'This server'))).resolves.toEqual(['Reachable', '0', '0', '0', '1', '']);
  await expect(cellsOf(rowOf(page, 'west'))).resolves.toEqual(['Reachable', '0', '0', '1', '1', '']);
  await expect(page.getByRole('link', { name: 'west' }).getAttribute('href')).resolves.toBe(west.url);
  expect(complaints).toEqual([]);
});

it('tests a connection, and keeps the token in a change without one', async () => {
  const { page } = await pages.openAsAdmin({ path: 'nodes' });
  await choose(page, 'west', 'Change');
  await page.getByRole('dialog').getByLabel('Description').fill('Of the west coast');
  await expect(page.getByLabel('Token', { exact: true }).inputValue()).resolves.toBe('');
  await page.getByRole('button', { name: 'Save' }).click();
  await rowOf(page, 'west').filter({ hasText: 'Of the west coast' }).waitFor();
  await choose(page, 'west', 'Test the connection');

  await page.getByText('west answers.').waitFor();
});

it('names a node that does not answer, and removes it after a confirmation', async () => {
  const { page } = await pages.openAsAdmin({ path: 'nodes' });
  await add(page, 'lost', 'http://127.0.0.1:9/api/v1', 'no-key');
  await rowOf(page, 'lost').filter({ hasText: 'Failing' }).waitFor();
  await choose(page, 'lost', 'Test the connection');
  await page.getByText(/^lost failed: /).waitFor();
  await choose(page, 'lost', 'Remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();

  await rowOf(page, 'lost').waitFor({ state: 'detached' });
});

it('shows in the form why an address is refused', async () => {
  const { page } = await pages.openAsAdmin({ path: 'nodes' });
  await add(page, 'bad', 'ftp://weir.example/api/v1', 'no-key');

  await page
    .getByRole('dialog')
    .getByRole('alert')
    .filter({ hasText: /address/i })
    .waitFor();
});
