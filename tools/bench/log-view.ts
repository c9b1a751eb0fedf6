// Measures the log viewer in a browser on a log of 2 GiB: how long it takes until lines are there, and what the page
// and the server need for it. Figures are for comparing rows with each other. `npm run bench log-view` runs it.
import { waitFor } from '@weir/test-kit';
import type { Page } from 'playwright-core';
import { launchBrowser, openSignedIn } from './bench-browser';
import { startRunnerUnderTest, type ServerUnderTest } from './server-under-test';

const logBytes = 2 * 1024 ** 3;
const spec = `steps:
  - id: print
    run: yes "2026-01-01T00:00:00Z info the quick brown fox jumps over the lazy dog" | head -c ${logBytes}
`;

interface Row {
  readonly name: string;
  readonly ms: number;
}

async function main(): Promise<void> {
  const server = await startRunnerUnderTest(new Map([['printer', spec]]), { WEIR_STEP_LOG_LIMIT_MIB: '4096' });
  const browser = await launchBrowser();
  try {
    await printLog(server);
    const before = await server.residentMegabytes();
    const page = await openSignedIn(browser, server);
    const rows = await measureRows(page, server);
    console.log('| what | ms |\n| --- | ---: |');
    for (const { name, ms } of rows) console.log(`| ${name} | ${Math.round(ms)} |`);
    const session = await page.context().newCDPSession(page);
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    console.log(
      `\nHeap of the page ${(usedSize / 1e6).toFixed(0)} MB, server ${before} MB before and ${await server.residentMegabytes()} MB after.`,
    );
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function printLog({ baseUrl, token }: ServerUnderTest): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await fetch(`${baseUrl}/dags/printer/start`, { method: 'POST', headers, body: '{}' });
  await waitFor(
    async () => {
      const answer = await fetch(`${baseUrl}/dag-runs/printer/latest`, { headers });
      const { dagRunDetails } = (await answer.json()) as { dagRunDetails?: { finishedAt: string } };
      return dagRunDetails !== undefined && dagRunDetails.finishedAt !== '';
    },
    { deadlineMs: 300_000, what: 'the log to be written' },
  );
}

async function measureRows(page: Page, { baseUrl }: ServerUnderTest): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const measure = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await act();
    rows.push({ name, ms: performance.now() - start });
  };
  const lines = page.locator('[role="log"] [data-line]');
  const log = new URL('../../dag-runs/printer/latest/log?step=print', `${baseUrl}/`).href;
  await measure('open at the first line, with the page', async () => {
    await page.goto(log);
    await lines.first().getByText('quick brown fox').waitFor();
  });
  await measure('know the number of lines', () => page.getByText(/^\d[\d,]+ lines/).waitFor({ timeout: 120_000 }));
  for (const line of [15_000_000, 29_000_000, 3_000_000]) {
    await measure(`go to line ${line.toLocaleString('en')}`, async () => {
      await page.getByRole('textbox', { name: 'Go to line' }).fill(String(line));
      await page.keyboard.press('Enter');
      await page.locator(`[role="log"] [data-line="${line}"]`).getByText('quick brown fox').waitFor();
    });
  }
  await measure('search for a text that is nowhere, until its first ten seconds or the end', async () => {
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox', { name: 'Find in the log' }).fill('purple elephant');
    await page.getByText('No match').waitFor({ timeout: 60_000 });
  });
  return rows;
}

void main();
