// Plays the first minute of a new installation, from `npm start` to a run that has succeeded, and records it as an
// animated picture: `node tools/setup/tsx.mjs apps/workflow-ui-e2e/src/pictures/record-first-run.ts [<file>]`, after a build.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { spawnProcess, temporaryFolder, waitFor, type SpawnedProcess } from '@weir/test-kit';
import type { Page } from 'playwright-core';
import { admin } from '../support/start-server';
import { launchBrowser } from '@weir/test-kit/browser';
import { encodeGif } from './encode-gif';
import { startScreencast } from './screencast';

const root = path.resolve(__dirname, '../../../..');
const [file = path.join(root, 'docs/images/first-run.gif')] = process.argv.slice(2);
const viewport = { width: 1000, height: 640 };
const keyMs = 45;
const lookMs = 900;

async function record(): Promise<void> {
  const home = temporaryFolder();
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  await page.setContent(terminal);
  const screencast = await startScreencast(page);
  await type(page, '$ ', 'npm start');
  const server = await spawnProcess({
    command: process.execPath,
    args: [path.join(root, 'tools/setup/start.mjs')],
    env: { HOME: home.path, WEIR_HOME: home.file('weir'), WEIR_PORT: '0', ROLLOUT_PORT: '0' },
  });
  try {
    await playFirstRun(page, await showStart(page, server));
    const frames = await screencast.stop();
    mkdirSync(path.dirname(file), { recursive: true });
    const gif = encodeGif(frames, { maxDelayMs: 1200, endMs: 4000 });
    writeFileSync(file, gif);
    process.stdout.write(`${file}: ${frames.length} frames, ${(gif.length / 1024).toFixed(0)} KiB\n`);
  } finally {
    await browser.close();
    await server.stop();
    await home.remove();
  }
}

const terminal = `<title>Terminal</title><style>
  body { margin: 0; padding: 24px; background: #14161a; color: #d7dae0; font: 14px/1.6 monospace; white-space: pre-wrap; }
</style><body></body>`;

async function type(page: Page, prompt: string, text: string): Promise<void> {
  for (const letters of [prompt, ...Array.from(text), '\n']) {
    await print(page, letters);
    await page.waitForTimeout(keyMs);
  }
}

function print(page: Page, text: string): Promise<void> {
  return page.evaluate((more) => document.body.append(more), text);
}

/** Shows what the server prints until it names its address, which is returned. */
async function showStart(page: Page, server: SpawnedProcess): Promise<string> {
  let shown = 0;
  return waitFor(
    async () => {
      const text = server.stdout();
      await print(page, text.slice(shown));
      shown = text.length;
      return /Open it in a browser: (\S+)/.exec(text)?.[1];
    },
    { deadlineMs: 300_000, what: 'the server to come up' },
  );
}

async function playFirstRun(page: Page, url: string): Promise<void> {
  await page.waitForTimeout(lookMs);
  await page.goto(url);
  await page.getByLabel('Username').pressSequentially(admin.username, { delay: keyMs });
  await page.getByLabel('Password').pressSequentially(admin.password, { delay: keyMs });
  await page.getByRole('button', { name: 'Create the admin' }).click();
  await page.getByRole('button', { name: 'Run the example' }).waitFor();
  await page.waitForTimeout(lookMs);
  await page.getByRole('button', { name: 'Run the example' }).click();
  await page.getByText('Succeeded').filter({ visible: true }).first().waitFor();
  await page.waitForTimeout(lookMs);
  await page
    .getByRole('row', { name: /merge-sources/ })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('heading', { name: 'report' }).waitFor();
  await page.waitForTimeout(2 * lookMs);
}

void record();
