// Measures what a browser computes to show 131,072 tokens in the trajectory viewer, and to colour them otherwise: the
// processor time of the page, which other work on the machine changes little. `npm run bench token-view` runs it.
import path from 'node:path';
import { byteTokenizerFolder, encode, endId, startFakeEngine, toByteIds, vocabularySize } from '@weir/fake-engine';
import { spawnProcess, temporaryFolder, waitFor } from '@weir/test-kit';
import type { Page } from 'playwright-core';
import { launchBrowser } from './bench-browser';

const program = path.resolve(__dirname, '../../apps/rollout-proxy/dist/main.js');
const adminKey = 'bench-admin-key-0123456789';
const tokens = 131_072;
const line = 'a line of text\n';
const rounds = 5;

async function main(): Promise<void> {
  const proxy = await startProxy();
  const browser = await launchBrowser();
  try {
    const sessionId = await ask(proxy.url);
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' });
    await context.request.post(`${proxy.url}/rl/browser_session`, { data: { key: adminKey } });
    const shown: number[] = [];
    const coloured: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const page = await context.newPage();
      await page.goto(`${proxy.url}/ui/sessions/${sessionId}`);
      await page.getByRole('tabpanel', { name: 'Messages' }).getByText('Count').waitFor();
      shown.push(await processorMs(page, () => showTokens(page)));
      coloured.push(await processorMs(page, () => colourByTraining(page)));
      await page.close();
    }
    console.log(`| ${tokens.toLocaleString('en')} tokens | median ms of the processor |\n| --- | ---: |`);
    console.log(`| the tokens are opened, until they are drawn | ${median(shown)} |`);
    console.log(`| they are coloured by whether they are trained | ${median(coloured)} |`);
  } finally {
    await browser.close();
    await proxy.stop();
  }
}

async function startProxy() {
  const home = temporaryFolder('weir-bench-');
  const tokenizer = byteTokenizerFolder();
  const engine = await startFakeEngine({ dialect: 'sglang', encode, vocabularySize, contextLength: 2 * tokens });
  const text = line.repeat(Math.floor(tokens / line.length));
  engine.setScript(() => ({ ids: [...toByteIds(text), endId], finishReason: 'stop' }));
  const child = await spawnProcess({
    command: process.execPath,
    args: [program],
    env: {
      HOME: home.path,
      ROLLOUT_PORT: '0',
      ROLLOUT_ADMIN_KEY: adminKey,
      ROLLOUT_DATA_DIR: home.file('data'),
      ROLLOUT_ENGINE: 'sglang',
      ROLLOUT_ENGINE_URLS: engine.url,
      ROLLOUT_TOKENIZER: tokenizer.path,
      ROLLOUT_MAX_TURN_TOKENS: String(2 * tokens),
    },
    deadlineMs: 10 * 60_000,
  });
  const [, url = ''] = await waitFor(() => /^Rollout proxy: (\S+)/m.exec(child.stdout()) ?? undefined, {
    what: 'the proxy to come up',
  });
  await waitFor(async () => (await fetch(`${url}/ready`)).ok, { what: 'the proxy to be ready' });
  return {
    url,
    stop: async () => {
      await child.stop({ deadlineMs: 30_000 });
      await engine.stop();
      await Promise.all([home.remove(), tokenizer.remove()]);
    },
  };
}

/** Returns the id of a session with one long answer. */
async function ask(url: string): Promise<string> {
  await post(`${url}/grant_capacity`, {});
  const started = await post(`${url}/rl/start_session`, { task_id: 'long' });
  const body = { model: 'bench', messages: [{ role: 'user', content: 'Count' }], max_tokens: 2 * tokens };
  await post(`${url}/v1/chat/completions`, body, String(started.session_api_key));
  return String(started.session_id);
}

async function post(address: string, body: unknown, key = adminKey): Promise<Readonly<Record<string, unknown>>> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${address} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}

async function showTokens(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Tokens' }).click();
  await page.getByText(/^131,\d\d\d tokens/).waitFor();
  await page.getByRole('group', { name: 'Tokens', exact: true }).waitFor();
}

async function colourByTraining(page: Page): Promise<void> {
  await page
    .getByRole('tabpanel', { name: 'Tokens' })
    .getByRole('button', { name: /Probability/ })
    .click();
  await page.getByRole('option', { name: 'Trained or not' }).click();
  await page.getByText('not trained', { exact: true }).first().waitFor();
}

/** The time that the page takes for it, until two frames later: scripts, styles and layout. */
async function processorMs(page: Page, act: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await taskSeconds(session);
  await act();
  await page.evaluate(afterTwoFrames);
  const after = await taskSeconds(session);
  await session.detach();
  return (after - before) * 1000;
}

/** Runs in the page. */
function afterTwoFrames(): Promise<void> {
  const { requestAnimationFrame } = globalThis as unknown as { requestAnimationFrame: (next: () => void) => void };
  return new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
  });
}

async function taskSeconds(
  session: Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>,
): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

const median = (times: readonly number[]): string =>
  (times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0).toFixed(0);

void main();
