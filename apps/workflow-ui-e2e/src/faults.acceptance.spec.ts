import { waitFor } from '@weir/test-kit';
import type { Page } from 'playwright-core';
import { createCuttableNetwork, type CuttableNetwork } from './support/cuttable-network';
import { gated } from './support/run-specs';
import { afterTwoFrames } from './support/focus';
import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages({ WEIR_QUEUE_MAX_FAILURES: '1' }, { ownProcess: true });

async function approve(runId: string): Promise<void> {
  const address = `/dag-runs/release/${runId}/steps/build/approve`;
  const answer = await pages.server().call('POST', address, { inputs: { NOTE: 'go' } });
  if (!answer.ok) throw new Error(`The approval was answered ${answer.status}: ${await answer.text()}`);
}

async function untilRun(name: string, runId: string, status: string): Promise<void> {
  await waitFor(
    async () => {
      const answer = await pages.server().call('GET', `/dag-runs/${name}/${runId}`);
      const { dagRunDetails } = (await answer.json()) as { dagRunDetails?: { statusLabel: string } };
      return dagRunDetails?.statusLabel === status;
    },
    { what: `${runId} to be ${status}` },
  );
}

let network: CuttableNetwork;

beforeAll(async () => {
  network = await createCuttableNetwork(pages.server().url);
  await pages.server().setUp();
  await pages.server().call('POST', '/dags', { name: 'release', spec: gated });
});

afterAll(() => network.stop());

/** A page that shows a step which waits, marked to tell a reload. */
async function openWaitingRun(runId: string, url = pages.server().url): Promise<Page> {
  await startAndWait(pages.server(), 'release', 'waiting', { dagRunId: runId });
  // Cases change the clock and the network of their profile.
  const { page } = await pages.openAsAdmin({ path: 'no/such/page', context: {} });
  await page.goto(`${url}dag-runs/release/${runId}?view=table`);
  await page.getByRole('row', { name: 'deploy' }).filter({ hasText: 'Not started' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.evaluate(() => document.body.setAttribute('data-same', 'page'));
  return page;
}

async function expectTheEnd(page: Page): Promise<void> {
  await page.getByRole('row', { name: 'deploy' }).filter({ hasText: 'Succeeded' }).waitFor();
  await page.getByText(/^Not live since/).waitFor({ state: 'detached' });
  await expect(page.locator('body[data-same="page"]').count()).resolves.toBe(1);
}

it('reports a lost server, and misses nothing once it is back, statement 42', async () => {
  const page = await openWaitingRun('lost-server');
  await pages.server().kill();
  try {
    await page.getByText(/^Not live since .*: the server does not answer, retrying/).waitFor();
    await page.getByRole('row', { name: 'build' }).click();
    await page.getByRole('heading', { name: 'build' }).waitFor();
  } finally {
    await pages.server().startAgain();
  }
  await approve('lost-server');

  await expectTheEnd(page);
});

it('lists a run that was given up because its worker was lost, and starts it again', async () => {
  const spec = 'steps:\n  - {name: hang, idempotent: true, run: exec sleep 300}\n';
  await pages.server().call('POST', '/dags', { name: 'deadly', spec });
  await pages.server().call('POST', '/dags/deadly/enqueue', { dagRunId: 'given-up' });
  await untilRun('deadly', 'given-up', 'running');
  await pages.server().kill();
  await pages.server().startAgain();
  await untilRun('deadly', 'given-up', 'failed');
  const { page } = await pages.openAsAdmin({ path: 'queues' });
  const givenUp = page.getByRole('grid', { name: 'Given up' });
  await givenUp
    .getByRole('row', { name: /deadly/ })
    .filter({ hasText: 'its worker was lost' })
    .waitFor();
  await page.getByRole('button', { name: 'Start given-up again' }).click();

  await page.getByText('1 run is queued again.').waitFor();
  await givenUp.waitFor({ state: 'detached' });
  await pages.server().call('POST', '/dag-runs/deadly/given-up/stop');
});

it('retries a part of the page whose code the server could not send, and shows it then', async () => {
  await startAndWait(pages.server(), 'release', 'waiting', { dagRunId: 'late-part' });
  const { page } = await pages.openAsAdmin({ path: 'settings' });
  const [code, health] = [/decision-form.*\.js/, '**/api/v1/health/live'];
  await page.route(code, (route) => route.abort());
  await page.route(health, (route) => route.abort());
  const asked = page.waitForRequest(health);
  await page.goto(`${pages.server().url}dag-runs/release/late-part?view=table`);
  await page.getByRole('row', { name: 'build' }).click();
  await asked;
  await page.getByRole('row', { name: 'deploy' }).waitFor();
  await page.unroute(code);
  await page.unroute(health);

  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
});

it('reports that the browser was offline for half a minute, and misses nothing, statement 42', async () => {
  const page = await openWaitingRun('lost-network', network.url);
  await page.clock.install();
  network.cut();
  await page.context().setOffline(true);
  await page.getByText(/^Not live since .*: this browser is offline/).waitFor();
  await approve('lost-network');
  await page.clock.fastForward(30_000);
  await page.getByRole('row', { name: 'deploy' }).filter({ hasText: 'Not started' }).waitFor();
  network.restore();
  await page.context().setOffline(false);

  await expectTheEnd(page);
});

it('keeps newer data of the stream when an answer to an earlier request is late', async () => {
  await startAndWait(pages.server(), 'release', 'waiting', { dagRunId: 'late-answer' });
  const { page } = await pages.openAsAdmin({ path: 'settings' });
  let answerNow = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  const details = `${pages.server().url}api/v1/dag-runs/release/late-answer`;
  await page.route(details, async (route) => {
    const response = await route.fetch();
    await late;
    await route.fulfill({ response });
  });
  const answered = page.waitForResponse(details);
  await page.goto(`${pages.server().url}dag-runs/release/late-answer?view=table`);
  const deploy = page.getByRole('row', { name: 'deploy' });
  await deploy.filter({ hasText: 'Not started' }).waitFor();
  await approve('late-answer');
  await deploy.filter({ hasText: 'Succeeded' }).waitFor();
  answerNow();
  await (await answered).finished();
  await page.evaluate(afterTwoFrames);

  await expect(deploy.innerText()).resolves.toContain('Succeeded');
});

describe('hostile names and texts', () => {
  const hostile = '<img src=x onerror="document.title=`taken`"><script>document.title="taken"</script>\u202Egnp.exe';
  const spec = [
    `description: ${JSON.stringify(hostile)}`,
    'artifacts: { enabled: true }',
    'steps:',
    '  - id: write',
    `    name: ${JSON.stringify('<b onmouseover=alert(1)>write')}`,
    '    run: |',
    `      printf '%s\\n' '${hostile.replaceAll("'", '')}'`,
    "      printf '\\033[31m\\033]8;;javascript:alert(1)\\007link\\033]8;;\\007 \\033[2J\\033[9999;9999H\\n'",
    `      printf '%s' '<script>fetch("/api/v1/users").then((r) => document.title = r.status)</script>' > "$DAG_RUN_ARTIFACTS_DIR/page.html"`,
    `      printf '%s\\n' '${hostile.replaceAll("'", '')}' >&2; exit 3`,
  ].join('\n');

  beforeAll(async () => {
    const created = await pages.server().call('POST', '/dags', { name: 'hostile', spec });
    expect(created.status).toBe(201);
    await startAndWait(pages.server(), 'hostile', 'failed', { dagRunId: 'hostile-run' });
  });

  it.each([
    ['home', '', 'Home'],
    ['the list of DAGs', 'dags?name=hostile', 'DAGs'],
    ['the DAG', 'dags/hostile', 'hostile'],
    ['the graph', 'dags/hostile?tab=graph', 'hostile'],
    ['the run', 'dag-runs/hostile/hostile-run', 'hostile'],
    ['the log', 'dag-runs/hostile/hostile-run/log?step=%3Cb+onmouseover%3Dalert(1)%3Ewrite', /Log/],
    ['the events', 'events', 'Events'],
    ['the search', 'search?q=onerror', 'Search'],
  ])('are shown as text by %s', async (_screen, path, heading) => {
    const { page, complaints } = await pages.openAsAdmin({ path });
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page
      .getByText(/onerror|onmouseover|hostile/)
      .first()
      .waitFor();

    await expect(page.title()).resolves.not.toContain('taken');
    await expect(page.locator('main script, main [onerror], main [onmouseover]').count()).resolves.toBe(0);
    await expect(page.locator('a[href^="javascript:"]').count()).resolves.toBe(0);
    expect(complaints).toEqual([]);
  });

  it('do not reach the session from an HTML artifact, neither in its frame nor in a tab of its own', async () => {
    const { page } = await pages.openAsAdmin({ path: 'dag-runs/hostile/hostile-run?tab=artifacts' });
    await page.frameLocator('iframe[title="page.html"]').locator('body').waitFor({ state: 'attached' });
    await expect(page.locator('iframe[title="page.html"]').getAttribute('sandbox')).resolves.toBe('');
    const file = await page.request.get(
      `${pages.server().url}api/v1/dag-runs/hostile/hostile-run/artifacts/download?path=page.html`,
    );
    expect(file.status()).toBe(200);
    const { 'content-disposition': disposition = '', 'content-security-policy': policy = '' } = file.headers();

    expect(disposition.startsWith('attachment') || policy.includes('sandbox')).toBe(true);
    await expect(page.title()).resolves.toContain('hostile');
  });
});
