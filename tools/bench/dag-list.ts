// Measures the list of 10,000 DAGs in a browser: how long it takes until its first row is there, when it is opened and
// when it is filtered. Figures are for comparing rows with each other. `npm run bench:dag-list` runs it.
import type { Page } from 'playwright-core';
import { launchBrowser, openSignedIn } from './bench-browser';
import { startServerUnderTest } from './server-under-test';

const dagFiles = 10_000;
const rounds = 7;
/** So many rows at least are there once nothing is filtered. */
const dagsSeen = rounds + 1;

async function main(): Promise<void> {
  const server = await startServerUnderTest(dagFiles);
  const browser = await launchBrowser();
  try {
    const page = await openSignedIn(browser, server);
    console.log(`| the first of ${dagFiles.toLocaleString('en')} DAGs | median ms |\n| --- | ---: |`);
    console.log(`| the page is opened, until its first row | ${await median(() => openList(page))} |`);
    console.log(`| a filter is typed, until its only row | ${await median((round) => filterList(page, round))} |`);
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** From the press on the link, as somebody does who works in the interface. */
async function openList(page: Page): Promise<number> {
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  return timeOf(async () => {
    await page.getByRole('link', { name: 'DAGs', exact: true }).click();
    await page.locator('tbody [role="row"], tbody tr').first().waitFor();
  });
}

async function filterList(page: Page, round: number): Promise<number> {
  const name = await page.locator('tbody tr').nth(round).getByRole('rowheader').getByRole('link').first().innerText();
  const field = page.getByRole('searchbox').first();
  const took = await timeOf(async () => {
    await field.fill(name);
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
  });
  await field.fill('');
  await page.locator('tbody tr').nth(dagsSeen).waitFor();
  return took;
}

async function timeOf(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function median(measure: (round: number) => Promise<number>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await measure(round));
  times.sort((one, other) => one - other);
  return (times[Math.floor(rounds / 2)] ?? 0).toFixed(0);
}

void main();
