import type { Page } from 'playwright-core';
import { endless, failing, gated } from './support/run-specs';
import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();
/** The narrowest that is supported, with a touch screen. */
const phone = { width: 360, context: { hasTouch: true, isMobile: true } } as const;

beforeAll(async () => {
  await pages.server().setUp();
  for (const [name, spec] of Object.entries({ orders: failing, release: gated, endless })) {
    await pages.server().call('POST', '/dags', { name, spec });
  }
  await startAndWait(pages.server(), 'orders', 'failed');
  await startAndWait(pages.server(), 'release', 'waiting');
});

async function expectToFit(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
}

it('shows what failed and its log on a phone, statement 41', async () => {
  const { page } = await pages.openAsAdmin(phone);
  await page.getByRole('link', { name: /orders check/ }).tap();
  await page.getByRole('group', { name: 'Error' }).getByText('row 7 has no amount').waitFor();
  await expectToFit(page);
  await page.getByRole('link', { name: 'Open the whole log' }).tap();
  await page.getByText('row 7 has no amount').first().waitFor();

  await expectToFit(page);
});

it('starts and stops a run on a phone, statement 41', async () => {
  const { page } = await pages.openAsAdmin(phone);
  await page.getByRole('link', { name: 'DAGs', exact: true }).tap();
  await page.getByRole('button', { name: 'Start endless' }).tap();
  await page.getByText('A run of endless was started.').first().waitFor();
  await page.goto(`${pages.server().url}dag-runs/endless/latest`);
  await page.getByRole('button', { name: 'Stop', exact: true }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).tap();

  await page.getByText('Aborted').filter({ visible: true }).first().waitFor();
  await expectToFit(page);
});

it('approves on a phone, statement 41', async () => {
  const { page } = await pages.openAsAdmin(phone);
  await page.getByRole('link', { name: /^Approvals/ }).tap();
  await page.getByRole('row', { name: /release build/ }).tap();
  await page.getByLabel('NOTE').fill('seen on the train');
  await expectToFit(page);
  await page.getByRole('button', { name: 'Approve', exact: true }).tap();

  await page.getByRole('row', { name: /release build/ }).waitFor({ state: 'detached' });
});
