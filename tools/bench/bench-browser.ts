import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { admin, type ServerUnderTest } from './server-under-test';

const root = path.resolve(__dirname, '../..');
const folder = path.join(root, '.runtime', 'browser-153.0.0');

/** The browser of the specs of the web interface. */
export function launchBrowser(): Promise<Browser> {
  execFileSync(process.execPath, [path.join(root, 'packages/test-kit/browser/unpack-browser.mjs'), folder]);
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
}

/** A page of the admin, with what the page itself needs loaded. */
export async function openSignedIn(browser: Browser, { baseUrl }: ServerUnderTest): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' });
  await context.request.post(`${baseUrl}/auth/login`, { data: { ...admin, session: true } });
  const page = await context.newPage();
  await page.goto(new URL('../..', `${baseUrl}/`).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}
