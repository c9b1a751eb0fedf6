import type { Page } from 'playwright-core';
import { pressUntil } from './support/keys';
import { failing, gated } from './support/run-specs';
import { startAndWait } from './support/seed-runs';
import { admin } from './support/start-server';
import { usePages } from './support/use-pages';

const pages = usePages();

beforeAll(async () => {
  await pages.server().setUp();
  await pages.server().call('POST', '/dags', { name: 'orders', spec: failing });
  await pages.server().call('POST', '/dags', { name: 'release', spec: gated });
  await startAndWait(pages.server(), 'orders', 'failed', { dagRunId: 'orders-of-monday' });
});

async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to or do' }).waitFor();
  await page.keyboard.type(text);
}

describe('the palette', () => {
  it('starts a DAG by its form, with nothing but keys', async () => {
    const { page } = await pages.openAsAdmin();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await typeInPalette(page, 'start orders');
    await page.getByRole('menuitem', { name: 'Start orders' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: /orders/ })
      .getByLabel('DAY')
      .waitFor();
    await page.keyboard.press('Enter');

    await page.waitForURL(/\/dag-runs\/orders\//);
  });

  it('opens a run by a part of its id, however old', async () => {
    const { page } = await pages.openAsAdmin();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await typeInPalette(page, 'of-monday');
    await page.getByRole('menuitem', { name: 'Open the run orders-of-monday of orders' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'check' }).waitFor();
  });

  it('finds what can be done on the page, and says why something cannot', async () => {
    const { page } = await pages.openAsAdmin({ path: 'dag-runs/orders/orders-of-monday' });
    await page.getByRole('heading', { name: 'check' }).waitFor();
    await typeInPalette(page, 'table');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'load' }).waitFor();

    await page.goto(pages.server().url);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await typeInPalette(page, 'keyboard');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });
});

// Statement 38.
it('signs in, starts a DAG, reads the log of the failure, approves and runs again with nothing but keys', async () => {
  const { page, complaints } = await pages.open();
  const { keyboard } = page;
  await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor();
  await pressUntil(page, 'Tab', /^Username/);
  await keyboard.type(admin.username);
  await pressUntil(page, 'Tab', /^Password/);
  await keyboard.type(admin.password);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();

  await keyboard.press('g');
  await keyboard.press('d');
  await page.getByRole('grid', { name: 'DAGs' }).getByRole('row', { name: 'orders', exact: true }).waitFor();
  await keyboard.press('/');
  await keyboard.type('release');
  await page.getByText('2 DAGs').waitFor();
  await pressUntil(page, 'Tab', /^release\b/);
  await pressUntil(page, 'ArrowRight', 'Start release');
  await keyboard.press('Enter');
  await page.getByText('A run of release was started.').first().waitFor();

  await keyboard.press('g');
  await keyboard.press('h');
  await page
    .getByRole('link', { name: /row 7 has no amount/ })
    .first()
    .waitFor();
  await pressUntil(page, 'Tab', /^orders/);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'check' }).waitFor();
  await pressUntil(page, 'Tab', 'Open the whole log');
  await keyboard.press('Enter');
  await page.getByText('row 7 has no amount').first().waitFor();
  await pressUntil(page, 'Shift+Tab', 'Run again…');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: '1 step is reused' }).waitFor();
  await pressUntil(page, 'Tab', 'Retry this run');
  await keyboard.press('Enter');
  await page.getByText('The run is queued again.').first().waitFor();

  await keyboard.press('g');
  await keyboard.press('a');
  await page.getByRole('row', { name: /release build/ }).waitFor();
  await pressUntil(page, 'Tab', /^release/);
  await keyboard.press('Enter');
  await pressUntil(page, 'Tab', /^NOTE/);
  await keyboard.type('checked by hand');
  await pressUntil(page, 'Tab', 'Approve');
  await keyboard.press('Enter');
  await page.getByRole('row', { name: /release build/ }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});
