import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const failing = 'steps:\n  - id: export\n    run: echo "the ledger is locked" >&2; exit 3\nschedule: "0 2 * * *"\n';
const viewer = { username: 'vera', password: 'viewing is enough' };

describe('on a server without runs', () => {
  const pages = usePages();

  beforeAll(async () => {
    await pages.server().setUp();
    await pages.server().call('POST', '/users', { ...viewer, role: 'viewer' });
  });

  it('offers the example, and names the required role to users who may not run it', async () => {
    const { page } = await pages.open();
    await page.request.post(`${pages.server().url}api/v1/auth/login`, { data: { ...viewer, session: true } });
    await page.reload();
    await page.getByRole('heading', { name: 'Nothing has run yet' }).waitFor();
    const refused = page.getByTitle('This needs the role operator or a higher one.');
    await refused.getByRole('button', { name: 'Run the example' }).waitFor();

    await expect(page.getByRole('heading', { name: 'Last failures' }).count()).resolves.toBe(0);
    await page.getByText('No schedule is due.').waitFor();
  });
});

describe('on a server with a failure', () => {
  const pages = usePages();

  beforeAll(async () => {
    await pages.server().setUp();
    await pages.server().call('POST', '/dags', { name: 'export-ledger', spec: failing });
    await startAndWait(pages.server(), 'export-ledger', 'failed');
  });

  it('shows what failed with its step and last line, and opens its error by one click, statement 4', async () => {
    const { page, complaints } = await pages.openAsAdmin();
    const failure = page.getByRole('link', { name: /export-ledger export exit code 3 .* the ledger is locked/ });
    await failure.click();

    await page.getByRole('heading', { name: 'export', exact: true }).waitFor();
    await expect(page.getByRole('group', { name: 'Error' }).innerText()).resolves.toContain('the ledger is locked');
    expect(complaints).toEqual([]);
  });

  it('counts the runs of each hour, and follows the server', async () => {
    const { page } = await pages.openAsAdmin();
    const tile = page.getByRole('link', { name: /Waiting$/ });
    await tile.getByText('0', { exact: true }).waitFor();
    const day = page.getByRole('region', { name: 'Runs of the last 24 hours' });
    await day.getByText('1 Failed', { exact: true }).waitFor();
    await startAndWait(pages.server(), 'release-approval', 'waiting');

    await tile.getByText('1', { exact: true }).waitFor();
    await day.getByText('1 Waiting', { exact: true }).waitFor();
    await page.getByText('The server is healthy').waitFor();
  });

  it('links from the bar of an hour to its runs', async () => {
    const { page } = await pages.openAsAdmin();
    const day = page.getByRole('region', { name: 'Runs of the last 24 hours' });
    await day.getByRole('link').last().click();
    await page.waitForURL(/runs\?q=from%3A.*to%3A/);

    await page
      .getByRole('grid', { name: 'Runs' })
      .getByRole('row', { name: /export-ledger/ })
      .waitFor();
  });

  it('shows the next occurrences', async () => {
    const { page } = await pages.openAsAdmin();
    const due = page.getByRole('region', { name: 'Due next' });
    await due.getByText(/^in \d+ (hour|minute)s?$/).waitFor();
    // Panels above it may still grow, and would move it away from a click.
    await due.getByRole('link', { name: 'export-ledger' }).press('Enter');

    await page.getByRole('grid', { name: 'Next times' }).waitFor();
  });

  it('shows a failed request in its panel only, with Retry', async () => {
    const { page } = await pages.openAsAdmin({ path: 'settings', context: {} });
    // A browser without shared workers: the stream is that of the page, which can be refused.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
    const failures = '**/api/v1/run-failures*';
    await page.route(failures, (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', message: 'The database is busy.', requestId: 'r-1' } }),
    );
    await page.route('**/events/stream?*', (route) => route.abort());
    await page.goto(pages.server().url);
    const panel = page.getByRole('region', { name: 'Last failures' });
    await panel.getByRole('alert').getByText('The database is busy.').waitFor();
    await panel.getByText('r-1').waitFor();
    await page.getByRole('grid', { name: 'Runs' }).getByText('export-ledger').waitFor();

    await page.unroute(failures);
    await panel.getByRole('button', { name: 'Retry' }).click();
    await panel.getByText('the ledger is locked').waitFor();
  });
});
