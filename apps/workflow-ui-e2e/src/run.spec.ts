import { readFileSync } from 'node:fs';
import { waitFor } from '@weir/test-kit';
import type { Page } from 'playwright-core';
import { endless, failing, gated, rich } from './support/run-specs';
import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();
const create = (name: string, spec: string) => pages.server().call('POST', '/dags', { name, spec });

beforeAll(async () => {
  await pages.server().setUp();
  await Promise.all([create('orders', failing), create('release', gated), create('rich', rich)]);
  await startAndWait(pages.server(), 'orders', 'failed');
  await startAndWait(pages.server(), 'rich', 'succeeded');
});

async function waitForStatus(label: string): Promise<void> {
  const read = async (): Promise<string> => {
    const answer = await pages.server().call('GET', '/dag-runs/endless/holder');
    return ((await answer.json()) as { dagRunDetails: { statusLabel: string } }).dagRunDetails.statusLabel;
  };
  await waitFor(async () => (await read()) === label, { deadlineMs: 20_000, what: `the run to be ${label}` });
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

it('opens a failed run by one click on its failing step, with error, exit code and the last lines', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'runs?name=orders' });
  await page.getByRole('link', { name: 'orders' }).click();

  await page.getByRole('heading', { name: 'check' }).waitFor();
  await page.getByText('Exit code 3').first().waitFor();
  await expect(page.getByRole('group', { name: 'Error' }).innerText()).resolves.toContain('row 7 has no amount');
  await page.getByRole('region', { name: 'End of the log of check' }).getByText('checking').first().waitFor();
  await expect(page.title()).resolves.toBe('orders · failed · Weir');
  expect(complaints).toEqual([]);
});

it('keeps one selection in all views and in the address', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/orders/latest?view=table' });
  await page.getByRole('row', { name: /fetch/ }).click();
  await page.getByRole('heading', { name: 'fetch' }).waitFor();

  await page.getByRole('radio', { name: 'Timeline' }).click();
  await expect(page.getByRole('option', { name: /fetch/ }).getAttribute('aria-selected')).resolves.toBe('true');
  await page.getByRole('listbox', { name: 'Timeline' }).press('ArrowDown');
  await page.getByRole('heading', { name: 'check' }).waitFor();
  expect(page.url()).toContain('step=check');
  await page.reload();
  await page.getByRole('heading', { name: 'check' }).waitFor();
});

it('shows queue wait, attempts and the gaps between them on one scale, statement 30', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/orders/latest?view=timeline' });

  const row = page.getByRole('option', { name: /check/ });
  await row.getByText('2 attempts').waitFor();
  await expect(row.getByTitle(/^Runs: /).count()).resolves.toBe(2);
  await expect(row.getByTitle(/^Until the next attempt: /).count()).resolves.toBe(1);
  await page.getByText('Attempt 2').waitFor();
});

it('follows the run in graph, timeline and table without a reload, statement 6', async () => {
  await startAndWait(pages.server(), 'release', 'waiting', { dagRunId: 'first-one' });
  const views = await Promise.all(
    ['graph', 'timeline', 'table'].map((view) =>
      pages.openAsAdmin({ path: `dag-runs/release/latest?view=${view}&step=deploy` }),
    ),
  );
  const [graph, timeline, table] = views.map(({ page }) => page);
  await graph?.locator('[data-step=deploy][data-status=not_started]').waitFor();
  await timeline?.getByRole('option', { name: /Not started deploy/ }).waitFor();
  await table?.getByRole('row', { name: 'deploy' }).filter({ hasText: 'Not started' }).waitFor();
  await pages.server().call('POST', '/dag-runs/release/first-one/steps/build/approve', { inputs: { NOTE: 'go' } });

  await graph?.locator('[data-step=deploy][data-status=succeeded]').waitFor();
  await timeline?.getByRole('option', { name: /Succeeded deploy/ }).waitFor();
  await table?.getByRole('row', { name: 'deploy' }).filter({ hasText: 'Succeeded' }).waitFor();
});

it('shows every reason why a run or step does not start, with links to the holders, statement 14', async () => {
  await create('endless', endless);
  await pages.server().call('POST', '/dags/endless/enqueue', { dagRunId: 'holder' });
  await waitForStatus('running');
  await pages.server().call('POST', '/dags/endless/enqueue', { dagRunId: 'waiter' });
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/endless/waiter' });
  const why = page.getByRole('region', { name: 'Why it is not running' });
  await why.getByText('Position 1 in the queue endless, 1 of 1 slots in use').waitFor();
  await why.getByRole('link', { name: /endless/ }).click();

  await page.getByRole('heading', { name: /holder/ }).waitFor();
  await page.goto(`${pages.server().url}dag-runs/endless/holder?step=second`);
  await why.getByRole('button', { name: 'first' }).click();
  await page.getByRole('heading', { name: 'first' }).waitFor();
});

it('stops a run after a confirmation, and shows every step end, statement 11', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/endless/holder?view=table' });
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').getByText('Run holder of endless is stopped').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();

  await page.getByRole('row', { name: 'first' }).filter({ hasText: 'Aborted' }).waitFor();
  await page.getByRole('row', { name: 'second' }).filter({ hasText: 'Aborted' }).waitFor();
  await pages.server().call('POST', '/dag-runs/endless/waiter/stop');
});

it('opens child runs, parallel items and iterations in place, and returns, statement 22', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/rich/latest?step=regions' });
  await page.getByRole('heading', { name: '2 items' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'name=eu' }).getByRole('link', { name: 'region' }).click();

  await page.getByRole('heading', { name: 'region', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'End of the log of render' }).getByText('rendered').waitFor();
  await page.getByRole('navigation', { name: 'Runs above this one' }).getByRole('link', { name: 'rich' }).click();
  await page.getByRole('heading', { name: 'rich', level: 1 }).waitFor();
  await page.goto(`${pages.server().url}dag-runs/rich/latest?step=turns`);
  await page.getByText('Turn 2').click();
  await page.getByText('print').last().waitFor();
});

it('shows outputs as a tree and copies a path, statement 25', async () => {
  const { page } = await pages.openAsAdmin({
    path: 'dag-runs/rich/latest',
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await tab(page, 'Outputs').click();
  await page.getByText('42', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy the path summary.regions' }).click();

  await expect(page.evaluate(() => navigator.clipboard.readText())).resolves.toBe('summary.regions');
});

it('previews artifacts isolated from the page, and downloads all, statement 26', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'dag-runs/rich/latest?tab=artifacts' });
  const open = (name: string) => page.getByRole('button', { name: new RegExp(name) }).click();
  await page.getByRole('cell', { name: 'us, west' }).waitFor();
  await open('report.md');
  await page.getByRole('heading', { name: 'Totals' }).waitFor();
  await open('summary.json');
  await page.getByText('regions', { exact: true }).waitFor();
  await open('notes.txt');
  await page.getByText('plain words').waitFor();
  await open('chart.svg');
  await page.getByRole('img', { name: 'chart.svg' }).waitFor();
  await open('page.html');
  await page.frameLocator('iframe[title="page.html"]').getByRole('heading', { name: 'Totals' }).waitFor();

  await expect(page.title()).resolves.toBe('rich · succeeded · Weir');
  await expect(page.locator('[onerror]').count()).resolves.toBe(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /Download all 6 files/ }).click(),
  ]);
  const archive = readFileSync(await download.path());
  expect(archive.subarray(0, 2).toString()).toBe('PK');
  expect(archive.toString('latin1')).toContain('tables/regions.csv');
  expect(complaints.filter((text) => !text.includes('about:srcdoc'))).toEqual([]);
});

it('shows inputs and environment with their sources, and masks secrets, statement 27', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/rich/latest?tab=inputs' });

  const variable = (name: string) => page.getByRole('row', { name, exact: true }).last();
  await variable('STAGE').getByText('production').waitFor();
  await variable('STAGE').getByText('the DAG').waitFor();
  await variable('API_TOKEN').getByText('*****').waitFor();
  await variable('API_TOKEN').getByText('a secret').waitFor();
});

it('lists the events of a run in order with their actors, statement 49', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/release/latest?tab=events' });

  const rows = page.getByRole('grid', { name: 'Events' }).getByRole('row');
  await rows.filter({ hasText: 'step approved' }).filter({ hasText: 'ada' }).waitFor();
  const texts = await rows.allInnerTexts();
  const placeOf = (event: string): number => texts.findIndex((text) => text.includes(event));
  expect(placeOf('Run waits')).toBeLessThan(placeOf('Step approved'));
  expect(placeOf('Step approved')).toBeLessThan(placeOf('Run succeeded'));
});

it('reports an unknown run, and disables actions that the role does not permit', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/orders/nothing' });
  await page.getByRole('heading', { name: 'There is no such run' }).waitFor();

  await pages.server().call('POST', '/users', { username: 'vera', password: 'viewing is enough', role: 'viewer' });
  const viewer = await pages.open();
  await viewer.page.request.post(`${pages.server().url}api/v1/auth/login`, {
    data: { username: 'vera', password: 'viewing is enough', session: true },
  });
  await viewer.page.goto(`${pages.server().url}dag-runs/orders/latest`);
  await viewer.page.getByRole('heading', { name: 'check' }).waitFor();
  const refused = viewer.page.getByTitle('This needs the role operator or a higher one.');
  await refused.getByRole('button', { name: 'Retry', exact: true }).waitFor();
});
