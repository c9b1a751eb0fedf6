import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { seedRuns } from './support/seed-runs';
import { usePages } from './support/use-pages';

const built = path.resolve(__dirname, '../../../packages/workflow-ui/dist');
const kib = 1024;
const quietMs = 500;

/**
 * What the screens may have loaded together, in KiB of gzip, in the order in which they are opened: a file that comes
 * late counts for the next one.
 */
const budgets = [
  { screen: 'the first screen', path: '', ready: 'Home', max: 250 },
  { screen: 'a run', path: 'dag-runs/merge-sources/latest', ready: 'merge-sources', max: 360 },
  { screen: 'a DAG', path: 'dags/merge-sources', ready: 'merge-sources', max: 430 },
  { screen: 'the editor with its worker', path: 'dags/merge-sources?tab=spec', ready: 'merge-sources', max: 710 },
];

const pages = usePages();

beforeAll(() => seedRuns(pages.server()));

it('every screen loads at most what its budget allows', async () => {
  const { page } = await pages.openAsAdmin({ path: 'no/such/page' });
  const files = new Set<string>();
  page.context().on('request', (request) => files.add(new URL(request.url()).pathname));
  const seen: Record<string, number> = {};
  for (const budget of budgets) {
    await openScreen(page, budget);
    await waitForQuiet(page, files);
    const loaded = [...files].filter((file) => !file.includes('/api/'));
    const bytes = await Promise.all(loaded.map(async (file) => measure(new URL(file, pages.server().url))));
    seen[budget.screen] = Math.ceil(bytes.reduce((sum, size) => sum + size, 0) / kib);
  }

  expect([...files]).toContainEqual(expect.stringMatching(/shared-worker/));
  expect(
    budgets.filter(({ screen, max }) => (seen[screen] ?? 0) > max).map(({ screen }) => [screen, seen[screen]]),
  ).toEqual([]);
  // None of them is empty, which would be a budget of nothing.
  expect(Object.values(seen).every((size) => size > 0)).toBe(true);
});

it('all files together are at most 1.2 MB', () => {
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|css|html)$/.test(file),
  );
  const sizes = files.map((file) => gzipSync(readFileSync(path.join(built, file))).length);

  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1.2 * kib * kib);
});

async function openScreen(page: Page, { path: at, ready }: (typeof budgets)[number]): Promise<void> {
  await page.goto(`${pages.server().url}${at}`);
  await page.getByRole('heading', { name: ready }).first().waitFor();
}

/** Until no other file has been asked for in a while: the browser counts the file of a shared worker as never loaded. */
async function waitForQuiet(page: Page, files: ReadonlySet<string>): Promise<void> {
  for (let before = 0; before < files.size;) {
    before = files.size;
    await page.waitForTimeout(quietMs);
  }
}

async function measure(file: URL): Promise<number> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file.pathname} was answered ${answer.status}.`);
  return gzipSync(new Uint8Array(await answer.arrayBuffer())).length;
}
