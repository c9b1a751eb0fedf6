import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();

const long = 'queue: heavy\nsteps:\n  - id: train\n    run: sleep 600\n';

beforeAll(async () => {
  await pages.server().setUp();
  await pages.server().call('POST', '/dags', { name: 'train', spec: long });
  await startAndWait(pages.server(), 'merge-sources', 'succeeded');
});

it('shows the holders of a queue and the waiting runs in order, and removes a run from it, statement 36', async () => {
  for (const dagRunId of ['first', 'second', 'third']) {
    await pages.server().call('POST', '/dags/train/enqueue', { dagRunId });
  }
  const { page, complaints } = await pages.openAsAdmin({ path: 'queues' });
  await page.getByRole('grid', { name: 'Hold the slots of heavy' }).getByRole('row', { name: /first/ }).waitFor();
  await page.getByText('The only slot is in use; the first run starts when a run above ends.').waitFor();
  const waiting = page.getByRole('grid', { name: 'Wait in heavy' });
  await waiting.getByRole('row', { name: 'train third' }).filter({ hasText: 'Position2' }).waitFor();
  await page.getByRole('button', { name: 'Remove second from the queue' }).click();

  await page.getByText('second was removed from the queue.').waitFor();
  await waiting.getByRole('row', { name: 'train third' }).filter({ hasText: 'Position1' }).waitFor();
  expect(complaints).toEqual([]);
});

it('pauses a queue, moves a run within it, and resumes it', async () => {
  await pages.server().call('POST', '/dags/train/enqueue', { dagRunId: 'fourth' });
  const { page, complaints } = await pages.openAsAdmin({ path: 'queues?queue=heavy' });
  const waiting = page.getByRole('grid', { name: 'Wait in heavy' });
  await waiting.getByRole('row', { name: 'train fourth' }).filter({ hasText: 'Position2' }).waitFor();
  await page.getByRole('button', { name: 'Pause heavy' }).click();
  await page.getByText('Paused by ada: no run is started until the queue is resumed.').waitFor();
  await page.getByRole('button', { name: 'Move fourth to the beginning' }).click();
  await waiting.getByRole('row', { name: 'train fourth' }).filter({ hasText: 'Position1' }).waitFor();
  await page.getByRole('button', { name: 'Move fourth to the end' }).click();
  await waiting.getByRole('row', { name: 'train fourth' }).filter({ hasText: 'Position2' }).waitFor();
  await page.getByRole('button', { name: 'Resume heavy' }).click();

  await page.getByRole('button', { name: 'Pause heavy' }).waitFor();
  expect(complaints).toEqual([]);
});

it('states that no worker is known, and why', async () => {
  const { page } = await pages.openAsAdmin();
  await page.route('**/api/v1/workers*', (route) => route.fulfill({ json: { workers: [], errors: ['One is late.'] } }));
  await page.goto(`${pages.server().url}workers`);

  await page.getByRole('heading', { name: 'No worker is known' }).waitFor();
  await page.getByText('One is late.').waitFor();
});

it('finds lines of DAGs and documents, statement 19', async () => {
  await pages.server().call('POST', '/docs', { id: 'prices', content: '# Prices\n\nThe price list is merged.\n' });
  const { page } = await pages.openAsAdmin({ path: 'search' });
  await page.getByLabel('Search in DAGs, runs and documents').fill('sleep 600');
  await page.getByRole('heading', { name: 'train' }).waitFor();
  await expect(page.locator('mark').innerText()).resolves.toBe('sleep 600');
  await page.getByRole('link', { name: 'Line 4' }).click();
  await expect(page.locator('.cm-activeLine').innerText()).resolves.toContain('sleep 600');
  await page.goBack();
  await page.getByLabel('Search in DAGs, runs and documents').fill('price list is merged');
  await page.getByRole('link', { name: 'Line 3' }).click();

  await page.getByRole('heading', { name: 'Prices', exact: true }).last().waitFor();
  await expect(page.locator('[data-found]').innerText()).resolves.toBe('The price list is merged.');
});

it('finds runs by words of their names and errors', async () => {
  const spec = 'steps:\n  - { id: load, run: "echo the depot is closed >&2; exit 3" }\n';
  await pages.server().call('POST', '/dags', { name: 'deliveries', spec });
  await startAndWait(pages.server(), 'deliveries', 'failed', { dagRunId: 'deliveries-of-monday' });
  const { page } = await pages.openAsAdmin({ path: 'search' });
  await page.getByLabel('Search in DAGs, runs and documents').fill('closed depot monday');
  await page.getByText('exit status 3: the depot is closed').waitFor();
  await expect(page.locator('mark').allInnerTexts()).resolves.toEqual(['monday', 'depot', 'closed']);
  await page.getByRole('link', { name: /^deliveries/ }).click();

  await page.getByRole('heading', { name: 'deliveries' }).first().waitFor();
});

it('writes, renames and deletes a document, and removes scripts from it, statement 51', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'docs' });
  await page.getByRole('button', { name: 'New document' }).click();
  await page.getByLabel('Path').fill('runbooks/night');
  await page.getByRole('button', { name: 'Create' }).click();
  await page
    .getByLabel('Markdown of runbooks/night')
    .fill('# At night\n\nCall **Grace**.\n\n<img src="x" onerror="document.title=1"><script>document.title=2</script>');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('runbooks/night was saved.').waitFor();
  await page.getByRole('heading', { name: 'At night' }).waitFor();
  await expect(page.locator('article script, article [onerror]').count()).resolves.toBe(0);

  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('Path').fill('runbooks/day');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByText('runbooks/day.md').waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('runbooks/day was deleted.').waitFor();
  expect(complaints).toEqual([]);
});

it('lists events by filters that stay in the address', async () => {
  const { page } = await pages.openAsAdmin({ path: 'events' });
  await page.getByRole('row', { name: 'Run succeeded' }).filter({ hasText: 'merge-sources' }).waitFor();
  await page.getByRole('button', { name: /All events/ }).click();
  await page.getByRole('option', { name: 'Run rejected' }).click();
  await page.getByRole('heading', { name: 'No event matches' }).waitFor();
  expect(page.url()).toContain('type=dag.run.rejected');
});

it('shows health, version and resources, and downloads a support bundle, statement 54', async () => {
  const { page } = await pages.openAsAdmin({ path: 'status' });
  await page.getByText('Healthy').waitFor();
  await page.getByText('serves the API, starts schedules, executes runs').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download a support bundle' }).click(),
  ]);

  expect(download.suggestedFilename()).toMatch(/^weir-support-.*\.json$/);
});
