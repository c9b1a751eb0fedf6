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
  await pages.server().call('POST', '/dags', { name: 'totals', spec: 'steps:\n  - run: echo 12\n' });
  await startAndWait(pages.server(), 'orders', 'failed', { dagRunId: 'orders-of-monday' });
});

async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to or do' }).waitFor();
  await page.keyboard.type(text);
}

describe('the palette', () => {
  it('starts a DAG by its form, with the keyboard only', async () => {
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

  it('opens a run of any age by a part of its id', async () => {
    const { page } = await pages.openAsAdmin();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await typeInPalette(page, 'of-monday');
    await page.getByRole('menuitem', { name: 'Open the run orders-of-monday of orders' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'check' }).waitFor();
  });

  it('finds the actions of the page, and explains why some are unavailable', async () => {
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
it('signs in, starts a DAG, reads the log of the failure, approves and runs again with the keyboard only', async () => {
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

describe('single keys', () => {
  it('move through a list, open a row, select it and start, edit or retry it', async () => {
    const { page } = await pages.openAsAdmin({ path: 'dags?q=totals' });
    const row = page.getByRole('row', { name: 'totals', exact: true });
    await row.waitFor();
    await page.keyboard.press('j');
    await expect(row.evaluate((element) => element === document.activeElement)).resolves.toBe(true);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await expect(row.evaluate((element) => element === document.activeElement)).resolves.toBe(true);
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor({ state: 'detached' });
    await page.keyboard.press('o');
    const peek = page.getByRole('complementary', { name: 'totals' });
    await peek.waitFor();
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
    await row.focus();
    await page.keyboard.press('s');
    await page.getByText('A run of totals was started.').first().waitFor();
    await row.focus();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'Spec' }).waitFor();
    await page.goto(`${pages.server().url}runs?q=orders status:failed`);
    await page
      .getByRole('row', { name: /orders/ })
      .first()
      .waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.getByText('The run is queued again.').first().waitFor();
  });

  it('start, edit and show the log on the pages of a DAG and a run, and go to the runs before and after', async () => {
    await startAndWait(pages.server(), 'orders', 'failed', { dagRunId: 'orders-of-tuesday' });
    const { page } = await pages.openAsAdmin({ path: 'dags/orders' });
    await page.getByRole('link', { name: 'Log of the last run' }).waitFor();
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: /orders/ });
    await dialog.getByLabel('DAY').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('[');
    await page.waitForURL(/orders-of-tuesday/);
    await page.getByRole('link', { name: 'Previous run' }).waitFor();
    await page.keyboard.press('[');
    await page.getByRole('link', { name: 'Next run' }).waitFor();
    await page.keyboard.press(']');
    await page.waitForURL(/orders-of-tuesday/);
    await page.getByText('Open the whole log').waitFor();
    await page.keyboard.press('l');
    await page.waitForURL(/tab=log/);
    await page.keyboard.press('r');
    await page.getByText('The run is queued again.').first().waitFor();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'Spec' }).waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Previous and next run of the DAG').waitFor();
  });

  it('do nothing while text is typed, and when they are switched off', async () => {
    const { page } = await pages.openAsAdmin({ path: 'dags/totals' });
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    const starts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/start')) starts.push(request.url());
    });
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'Spec' }).click();
    await page.keyboard.type('s');
    await page.goto(`${pages.server().url}dags`);
    await page.getByRole('row', { name: 'totals', exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('srx');
    await expect(page.getByRole('searchbox').inputValue()).resolves.toBe('srx');
    await page.goto(`${pages.server().url}settings`);
    await page.getByText('Single keys are shortcuts').click();
    await page.goto(`${pages.server().url}dags/totals`);
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    await page.keyboard.press('s');
    await page.keyboard.press('e');

    await expect(page.getByRole('tab', { name: 'Overview', selected: true }).count()).resolves.toBe(1);
    expect(starts).toEqual([]);
  });
});
