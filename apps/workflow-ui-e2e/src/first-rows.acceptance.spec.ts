import { usePages } from './support/use-pages';

const pages = usePages();

const dags = Array.from({ length: 45 }, (_, index) => `dag-${String(index).padStart(2, '0')}`);

beforeAll(async () => {
  await pages.server().setUp();
  for (const name of dags) {
    await pages.server().call('POST', '/dags', { name, spec: 'steps:\n  - { id: only, run: echo }\n' });
  }
});

describe('the list of many DAGs', () => {
  it('requests its rows while the files of the screen are loading', async () => {
    const { page } = await pages.openAsAdmin({ path: 'no/such/page', context: {} });
    let sendFiles = (): void => undefined;
    const mayBeSent = new Promise<void>((resolve) => (sendFiles = resolve));
    await page.route('**/assets/dag-list-screen-*', async (route) => {
      await mayBeSent;
      await route.continue();
    });
    const asked = page.waitForRequest(/api\/v1\/dags\?/);
    await page.goto(`${pages.server().url}dags`, { waitUntil: 'commit' });
    await asked;
    sendFiles();

    await page.getByRole('row', { name: /dag-00/ }).waitFor();
  });

  it('draws the rows that fit the window first, and then the rest', async () => {
    const { page } = await pages.openAsAdmin({ context: {} });
    await page.addInitScript(() => {
      new MutationObserver(() => {
        const { length } = document.querySelectorAll('main [role="row"][data-key]');
        if (length > 0) document.documentElement.dataset.first ??= String(length);
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${pages.server().url}dags`);
    await page.getByRole('row', { name: /dag-44/ }).waitFor();

    await expect(page.evaluate(() => Number(document.documentElement.dataset.first))).resolves.toBeLessThan(20);
  });
});
