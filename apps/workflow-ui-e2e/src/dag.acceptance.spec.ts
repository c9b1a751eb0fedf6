import { waitFor } from '@weir/test-kit';
import type { Page } from 'playwright-core';
import { usePages } from './support/use-pages';

const pages = usePages({ TZ: 'Europe/Berlin' });

const daily = `description: Loads the orders
schedule:
  - "CRON_TZ=Europe/Berlin 30 2 25-31 3,10 *"
steps:
  - {id: fetch, run: echo}
  - {id: load, run: echo, depends: fetch}
`;
const broken = daily.replace('{id: load, run: echo', '{id: load, run: exit 3');
const caller = `steps:
  - {id: orders, action: dag.run, with: {dag: orders}}
`;
const backfilled = (command: string): string => `schedule: "0 4 * * *"\nsteps:\n  - {id: one, run: ${command}}\n`;
const goodRuns = 39;

beforeAll(async () => {
  const server = pages.server();
  await server.setUp();
  await server.call('POST', '/dags', { name: 'orders', spec: daily });
  await server.call('POST', '/dags', { name: 'month-end', spec: caller });
  await server.call('POST', '/dags', { name: 'daily', spec: backfilled('echo') });
  await server.call('POST', '/dags', { name: 'busy', spec: backfilled('exec sleep 60') });
  await server.call('POST', '/dags', { name: 'slow-daily', spec: backfilled('exec sleep 60') });
  for (let run = 0; run < goodRuns; run += 1) await runToEnd();
  await server.call('PUT', '/dags/orders/spec', { spec: broken });
  await runToEnd();
});

async function runToEnd(): Promise<void> {
  const answer = await pages.server().call('POST', '/dags/orders/start-sync', { timeout: 30 });
  if (!answer.ok) throw new Error(`The run was answered ${answer.status}.`);
}

async function open(path: string): Promise<Page> {
  return (await pages.openAsAdmin({ path })).page;
}

describe('the overview', () => {
  it('shows the schedule in words, the results of runs, and the callers of the DAG', async () => {
    const page = await open('dags/orders');

    await page.getByText('At 02:30, between day 25 and 31 of the month, only in March and October').waitFor();
    await page.getByText('of the last 40 runs that ended').waitFor();
    await page.getByText('98%').waitFor();
    await page.getByRole('link', { name: 'month-end' }).waitFor();
    await page.getByRole('img', { name: /^Durations of the last 40 runs: median/ }).waitFor();
  });

  it('has the last runs once, in a table that shows all runs of the chart', async () => {
    const page = await open('dags/orders');
    const table = page.getByRole('grid', { name: 'Last runs' });
    await table.waitFor();
    await expect(table.getByRole('row').count()).resolves.toBe(11);
    await page.getByRole('button', { name: 'Show the last 40 runs' }).click();

    await waitFor(async () => (await table.getByRole('row').count()) === 41, { what: 'all runs' });
    await expect(page.getByRole('grid').or(page.getByRole('table')).count()).resolves.toBe(1);
  });

  it('shows the table alone if the language of the browser is invalid, so that charts cannot be loaded', async () => {
    const { page, complaints } = await pages.openAsAdmin({ path: 'dags' });
    await page.addInitScript(() => Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix' }));
    await page.goto(`${pages.server().url}dags/orders`);

    await page.getByRole('grid', { name: 'Last runs' }).waitFor();
    await page.getByRole('heading', { name: 'Durations' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

describe('the schedule, statement 33', () => {
  it('lists the next 20 times in three clocks, and marks those at which clocks change', async () => {
    const page = await open('dags/orders?tab=schedule');
    const table = page.getByRole('grid', { name: 'Next times' });
    await table.waitFor();

    await expect(table.getByRole('row').count()).resolves.toBe(21);
    await table.getByText('Clocks skip the named time').first().waitFor();
    await table.getByText('Clocks show this time twice').first().waitFor();
    await table.getByRole('columnheader', { name: 'Your time (Europe/Berlin)' }).waitFor();
    await table.getByRole('columnheader', { name: 'UTC' }).waitFor();
  });

  it('shows why it is held up, and links to the run that causes it', async () => {
    await pages.server().call('POST', '/dags/busy/start', { dagRunId: 'holds' });
    const page = await open('dags/busy?tab=schedule');
    const reasons = page.getByRole('region', { name: 'What holds the schedule up' });
    await reasons.getByText('Occurrences are skipped while a run of the DAG is active').waitFor();
    await reasons.getByRole('link', { name: /^busy/ }).click();
    await page.waitForURL(/dag-runs\/busy\/holds/);
    await page.getByText('Started by').locator('..').getByText('ada').waitFor();

    await pages.server().call('POST', '/dag-runs/busy/holds/stop');
  });

  it('is switched off at once, and on again by Undo', async () => {
    const page = await open('dags/orders?tab=schedule');
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('The schedule is off: nothing starts by it.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();

    await page.getByRole('button', { name: 'Switch off' }).waitFor();
    const answer = await pages.server().call('GET', '/dags/orders');
    await expect(answer.json()).resolves.toMatchObject({ suspended: false });
  });
});

describe('the history, statement 32', () => {
  it('shows each step in each run, and opens a run on the step', async () => {
    const page = await open('dags/orders?tab=history');
    const grid = page.getByRole('grid', { name: 'Steps by runs' });
    const load = grid.getByRole('row', { name: /^load/ });
    await load.waitFor();

    await expect(grid.getAttribute('aria-colcount')).resolves.toBe('41');
    await load.getByRole('img', { name: 'Failed' }).click();
    await page.waitForURL(/dag-runs\/orders\/.*step=load/);
  });

  it('is navigated by the arrow keys', async () => {
    const page = await open('dags/orders?tab=history');
    const grid = page.getByRole('grid', { name: 'Steps by runs' });
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');

    await page.getByRole('status').filter({ hasText: 'load' }).filter({ hasText: 'Failed' }).waitFor();
    await page.keyboard.press('Home');
    await page.getByRole('status').filter({ hasText: 'load' }).filter({ hasText: 'Succeeded' }).waitFor();
  });
});

describe('the revisions, statement 31', () => {
  it('shows who changed what, and restores an earlier text, which can be undone', async () => {
    const page = await open('dags/orders?tab=revisions');
    const list = page.getByRole('list', { name: 'Revisions' });
    await list.getByRole('button', { name: /#2 changed ada/ }).waitFor();
    const [before, after] = ['Revision #1', 'Revision #2'].map((name) => page.getByRole('textbox', { name }));
    await before?.locator('.cm-changedLine', { hasText: 'run: echo' }).waitFor();
    await after?.locator('.cm-changedLine', { hasText: 'run: exit 3' }).waitFor();

    await list.getByRole('button', { name: /#1 created ada/ }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await list.getByRole('button', { name: /#3 restored ada/ }).waitFor();
    await expect(specOf('orders')).resolves.toBe(daily);
    await page.getByRole('button', { name: 'Undo' }).click();
    await list.getByRole('button', { name: /#4 restored ada/ }).waitFor();
    await expect(specOf('orders')).resolves.toBe(broken);
  });

  it('compares any two of them', async () => {
    const page = await open('dags/orders?tab=revisions&revision=2&from=1');
    await page.getByRole('button', { name: /Compared with #1/ }).waitFor();

    await page.locator('.cm-changedLine', { hasText: 'run: exit 3' }).waitFor();
  });
});

describe('two runs, statement 31', () => {
  it('are chosen in the history and compared', async () => {
    const page = await open('dags/orders?tab=history');
    const runs = page.getByRole('grid', { name: 'Steps by runs' }).getByRole('row').first();
    await runs.getByRole('img', { name: 'Failed' }).click();
    await page.getByText('One run is chosen').waitFor();
    await runs.getByRole('img', { name: 'Succeeded' }).last().click();
    await page.getByRole('button', { name: 'Compare the two runs' }).click();

    const steps = page.getByRole('grid', { name: 'Steps' });
    await steps
      .getByRole('row', { name: 'load' })
      .filter({ hasText: /Succeeded.*Failed/ })
      .waitFor();
    await page.locator('.cm-changedLine', { hasText: 'run: exit 3' }).waitFor();
    await page.getByRole('button', { name: 'Back to the history' }).click();
    await runs.waitFor();
  });
});

describe('a backfill, statement 35', () => {
  it('previews its runs, starts them, and shows its progress', async () => {
    const page = await openBackfill();
    await page.getByLabel(/^From/).fill('2026-11-01T00:00');
    await page.getByLabel(/^To/).fill('2026-11-03T23:59');
    await page.getByText('3 times in the range, of which none has a run.').waitFor();
    await page.getByRole('button', { name: 'Run 3 times' }).click();

    const list = page.getByRole('grid', { name: 'Backfills' });
    await list.getByText('Finished').waitFor();
    await list.getByText('3 started, 0 had a run, of 3').waitFor();
    await page.getByRole('button', { name: 'Backfill' }).click();
    await page.getByLabel(/^From/).fill('2026-11-01T00:00');
    await page.getByLabel(/^To/).fill('2026-11-03T23:59');
    await page.getByText('3 times in the range, of which 3 have a run.').waitFor();
  });

  it('is cancelled while it runs', async () => {
    const page = await openBackfill('slow-daily');
    await page.getByLabel(/^From/).fill('2026-11-01T00:00');
    await page.getByLabel(/^To/).fill('2026-11-20T23:59');
    await page.getByRole('button', { name: 'Run 20 times' }).click();
    const list = page.getByRole('grid', { name: 'Backfills' });
    await list.getByRole('button', { name: 'Cancel' }).click();

    await list.getByText('Cancelled').waitFor();
  });

  async function openBackfill(name = 'daily'): Promise<Page> {
    const page = await open(`dags/${name}?tab=schedule`);
    await page.getByRole('button', { name: 'Backfill' }).click();
    return page;
  }
});

describe('files of DAGs, statement 55', () => {
  it('creates one, and explains why a name is not possible', async () => {
    const page = await open('dags');
    await page.getByRole('button', { name: 'New DAG' }).click();
    const name = page.getByLabel('Name of the DAG');
    await name.fill('not/possible');
    await page.getByText('A name has 1 to 40 letters').waitFor();
    await name.fill('orders');
    await page.keyboard.press('Enter');
    await page.getByText(/"orders" .*exists/).waitFor();
    await name.fill('invoices');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'invoices' }).waitFor();
    await page.getByRole('tab', { name: 'Spec', selected: true }).waitFor();
  });

  it('renames one, and undoes it', async () => {
    await pages.server().call('POST', '/dags', { name: 'old-name' });
    const page = await open('dags/old-name');
    await choose(page, 'Rename');
    await page.getByLabel('Name of the DAG').fill('new-name');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'new-name' }).waitFor();

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'old-name' }).waitFor();
  });

  it('copies one', async () => {
    const page = await open('dags/month-end');
    await choose(page, 'Copy');
    await page.getByLabel('Name of the DAG').fill('year-end');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'year-end' }).waitFor();

    await expect(specOf('year-end')).resolves.toBe(caller);
  });

  it('deletes one after a confirmation that names it, and restores it', async () => {
    await pages.server().call('POST', '/dags', { name: 'to-delete', spec: caller });
    const page = await open('dags/to-delete');
    await choose(page, 'Delete');
    await page.getByRole('button', { name: 'Delete to-delete' }).click();
    await page.getByText('to-delete was deleted.').waitFor();
    await expect(statusOf('to-delete')).resolves.toBe(404);

    await page.getByRole('button', { name: 'Undo' }).click();
    // Its heading may be that of before, which a busy browser still shows.
    expect(await waitFor(() => specOf('to-delete'), { what: 'the DAG to be back' })).toBe(caller);
    await page.getByRole('heading', { name: 'to-delete' }).waitFor();
  });
});

it('reports an unknown DAG', async () => {
  const page = await open('dags/nobody');

  await page.getByRole('heading', { name: 'There is no DAG “nobody”' }).waitFor();
});

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions of the DAG' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function specOf(name: string): Promise<string> {
  const answer = await pages.server().call('GET', `/dags/${name}/spec`);
  return ((await answer.json()) as { spec: string }).spec;
}

async function statusOf(name: string): Promise<number> {
  return (await pages.server().call('GET', `/dags/${name}`)).status;
}
