import { writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@weir/test-kit';
import type { BrowserContext, Page } from 'playwright-core';
import { gated } from './support/run-specs';
import { startAndWait } from './support/seed-runs';
import { admin } from './support/start-server';
import { usePages } from './support/use-pages';

// So a tab with a stream of its own would be the only one that is live.
const pages = usePages({ WEIR_MAX_STREAMS: '1' });
const viewer = { username: 'vera', password: 'a rather long sentence' };

const approve = (runId: string): Promise<Response> =>
  pages.server().call('POST', `/dag-runs/release/${runId}/steps/build/approve`, { inputs: { NOTE: 'go' } });

/** Whether the server has a stream to spare. */
async function isStreamFree(): Promise<boolean> {
  const ending = new AbortController();
  const login = await pages.server().call('POST', '/auth/login', admin);
  const { token } = (await login.json()) as { token: string };
  const answer = await fetch(`${pages.server().url}api/v1/events/stream?topics=queues:`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ending.signal,
  });
  ending.abort();
  return answer.ok;
}

beforeAll(async () => {
  await pages.server().setUp();
  await pages.server().call('POST', '/dags', { name: 'release', spec: gated });
  await pages.server().call('POST', '/users', { ...viewer, role: 'viewer' });
});

async function openTabs(count: number, runId: string): Promise<{ tabs: Page[]; browser: BrowserContext }> {
  await startAndWait(pages.server(), 'release', 'waiting', { dagRunId: runId });
  const path = `dag-runs/release/${runId}?view=table`;
  const { page } = await pages.openAsAdmin({ path, context: {} });
  const browser = page.context();
  const others = await Promise.all(Array.from({ length: count - 1 }, () => browser.newPage()));
  const tabs = [page, ...others];
  await Promise.all(others.map((tab) => tab.goto(`${pages.server().url}${path}`)));
  for (const tab of tabs) {
    await tab.getByRole('row', { name: 'deploy' }).filter({ hasText: 'Not started' }).waitFor();
    await tab.getByText('Live', { exact: true }).waitFor();
  }
  return { tabs, browser };
}

const showsTheEnd = (tab: Page): Promise<void> =>
  tab.getByRole('row', { name: 'deploy' }).filter({ hasText: 'Succeeded' }).waitFor();

it.each([2, 5])('%d tabs are live through one stream, and request nothing that it delivers', async (count) => {
  const runId = `seen-by-${count}`;
  const { tabs } = await openTabs(count, runId);
  await expect(isStreamFree()).resolves.toBe(false);
  const asked: string[] = [];
  for (const tab of tabs) tab.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await approve(runId);
  await Promise.all(tabs.map(showsTheEnd));

  expect(asked.filter((path) => path.endsWith(`/dag-runs/release/${runId}`))).toEqual([]);
});

it('the other tabs miss nothing when the tab that opened the stream is closed', async () => {
  const { tabs } = await openTabs(3, 'outlived');
  await tabs[0]?.close();
  await approve('outlived');

  for (const tab of tabs.slice(1)) {
    await showsTheEnd(tab);
    await expect(tab.getByText(/^Not live since/).count()).resolves.toBe(0);
  }
});

it('eight tabs follow the logs of eight running steps, each to its last line', async () => {
  const folder = temporaryFolder();
  const names = Array.from({ length: 8 }, (_, index) => `step-${index}`);
  const wait = `while [ ! -e "${folder.file('go')}" ]; do sleep 0.1; done`;
  const steps = names.map((name) => `  - name: ${name}\n    run: echo begun; ${wait}; echo done\n`);
  await pages.server().call('POST', '/dags', { name: 'talk', spec: `type: graph\nsteps:\n${steps.join('')}` });
  await startAndWait(pages.server(), 'talk', 'running', { dagRunId: 'eight' });
  const addresses = names.map((name) => `dag-runs/talk/eight/log?step=${name}`);
  const { page } = await pages.openAsAdmin({ path: addresses[0] ?? '', context: {} });
  const others = await Promise.all(addresses.slice(1).map(() => page.context().newPage()));
  const tabs = [page, ...others];
  for (const [index, tab] of tabs.entries()) await tab.goto(`${pages.server().url}${addresses[index]}`);
  for (const tab of tabs) await tab.getByRole('log').getByText('begun').waitFor();
  await writeFile(folder.file('go'), '');

  for (const tab of tabs) await tab.getByRole('log').getByText('done').waitFor();
  await expect(isStreamFree()).resolves.toBe(false);
  await folder.remove();
});

it('signing out ends the stream and clears the other tabs; the next user sees only their own data', async () => {
  const { tabs, browser } = await openTabs(2, 'left-behind');
  const [first, second] = tabs as [Page, Page];
  await first.getByRole('button', { name: admin.username }).click();
  await first.getByRole('menuitem', { name: 'Sign out' }).click();
  for (const tab of tabs) await tab.getByRole('heading', { name: 'Sign in to Weir' }).waitFor();
  await expect(second.getByText('left-behind').count()).resolves.toBe(0);
  await expect(isStreamFree()).resolves.toBe(true);

  await first.getByLabel('Username').fill(viewer.username);
  await first.getByLabel('Password').fill(viewer.password);
  await first.getByRole('button', { name: 'Sign in' }).click();
  for (const tab of tabs) await tab.getByRole('button', { name: viewer.username }).waitFor();
  await expect(second.getByText('Live', { exact: true }).waitFor()).resolves.toBeUndefined();
  expect(browser.pages()).toHaveLength(2);
});

it('a tab asks for a sign-in after the session has ended elsewhere', async () => {
  const { tabs } = await openTabs(2, 'ended');
  const answer = await tabs[0]?.request.get(`${pages.server().url}api/v1/auth/sessions`);
  const listed = (await answer?.json()) as { sessions: { id: string; isCurrent: boolean }[] } | undefined;
  const current = listed?.sessions.find(({ isCurrent }) => isCurrent);
  await tabs[0]?.request.delete(`${pages.server().url}api/v1/auth/sessions/${current?.id}`);

  for (const tab of tabs) await tab.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
});
