// Measures the list of 10,000 DAGs in a browser: how long it takes until its first row is there, when it is opened and
// when it is filtered. Figures are for comparing rows with each other. `npm run bench dag-list` runs it.
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
    const cpu = await readPageCpu(page);
    console.log(`| the first of ${dagFiles.toLocaleString('en')} DAGs | median ms | ms of CPU in the page |`);
    console.log('| --- | ---: | ---: |');
    console.log(`| the page is opened, until its first row | ${await measure(cpu, () => openList(page))} |`);
    console.log(`| it is loaded again, until its first row | ${await measure(cpu, () => loadList(page))} |`);
    console.log(
      `| a filter is typed, until its only row | ${await measure(cpu, (round) => filterList(page, round))} |`,
    );
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** A measured step, with the actions before and after it. */
interface Step {
  readonly act: () => Promise<void>;
  readonly after?: () => Promise<void>;
}

/** Measures from the click on the link, as in a running interface. */
async function openList(page: Page): Promise<Step> {
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  return {
    act: async () => {
      await page.getByRole('link', { name: 'DAGs', exact: true }).click();
      await page.locator('tbody [role="row"], tbody tr').first().waitFor();
    },
  };
}

/** Measures from the address, as with a bookmark: the interface itself is loaded too. */
async function loadList(page: Page): Promise<Step> {
  await page.goto('about:blank');
  return {
    act: async () => {
      await page.goBack({ waitUntil: 'commit' });
      await page.locator('tbody [role="row"], tbody tr').first().waitFor();
    },
  };
}

async function filterList(page: Page, round: number): Promise<Step> {
  const name = await page.locator('tbody tr').nth(round).getByRole('rowheader').getByRole('link').first().innerText();
  const field = page.getByRole('searchbox').first();
  return {
    act: async () => {
      await field.fill(name);
      await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    },
    after: async () => {
      await field.fill('');
      await page.locator('tbody tr').nth(dagsSeen).waitFor();
    },
  };
}

/** Reads the time that the main thread of the page has worked, in milliseconds. */
async function readPageCpu(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
}

/** The cells of a row: time and CPU. */
async function measure(cpu: () => Promise<number>, prepare: (round: number) => Promise<Step>): Promise<string> {
  const times: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { act, after } = await prepare(round);
    const [start, before] = [performance.now(), await cpu()];
    await act();
    times.push(performance.now() - start);
    busy.push((await cpu()) - before);
    await after?.();
  }
  return `${median(times)} | ${median(busy)}`;
}

function median(values: readonly number[]): string {
  return (values.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0).toFixed(0);
}

void main();
