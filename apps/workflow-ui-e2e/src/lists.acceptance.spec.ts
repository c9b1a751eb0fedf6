import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages({ WEIR_SKIP_EXAMPLES: 'true' });

const labelled = (label: string, step: string): string =>
  `${label === 'etl' ? 'group: shop\n' : ''}labels: [${label}]\nsteps:\n  - run: ${step}\n`;

beforeAll(async () => {
  await pages.server().setUp();
  const specs = { orders: 'exit 3', prices: 'exit 4', stock: 'echo done' };
  for (const [name, step] of Object.entries(specs)) {
    const label = name === 'stock' ? 'warehouse' : 'etl';
    await pages.server().call('POST', '/dags', { name, spec: labelled(label, step) });
    await startAndWait(pages.server(), name, name === 'stock' ? 'succeeded' : 'failed', { dagRunId: `${name}-1` });
  }
});

const open = async (path: string) => (await pages.openAsAdmin({ path })).page;

async function idsOf(name: string): Promise<readonly string[]> {
  const answer = await pages.server().call('GET', `/dag-runs?name=${name}`);
  return ((await answer.json()) as { dagRuns: { dagRunId: string }[] }).dagRuns.map(({ dagRunId }) => dagRunId);
}

describe('the query of the runs, statement 20', () => {
  it('filters by name, status, label and id, and is restored after going back', async () => {
    const page = await open('runs');
    const runs = page.getByRole('grid', { name: 'Runs' });
    await runs.getByRole('row', { name: /stock/ }).waitFor();
    await page.getByRole('searchbox').fill('label:etl status:failed id:1');
    await runs.getByRole('row', { name: /stock/ }).waitFor({ state: 'detached' });
    await page.getByText('2 runs').waitFor();
    await page.getByRole('searchbox').fill('label:etl status:failed id:1 ord');
    await runs.getByRole('row', { name: /prices/ }).waitFor({ state: 'detached' });
    await runs.getByRole('link', { name: 'orders' }).click();
    await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor();
    await page.goBack();

    await runs.getByRole('row', { name: /orders/ }).waitFor();
    await expect(page.getByRole('searchbox').inputValue()).resolves.toBe('label:etl status:failed id:1 ord');
    await expect(runs.getByRole('row').count()).resolves.toBe(2);
  });

  it('is written by the lists of statuses and times', async () => {
    const page = await open('runs?q=orders');
    await page.getByRole('button', { name: /All statuses/ }).click();
    await page.getByRole('option', { name: 'Succeeded', exact: true }).click();
    await page.getByRole('heading', { name: 'No run matches' }).waitFor();
    await page.getByRole('button', { name: /Today/ }).click();
    await page.getByRole('option', { name: 'Every time' }).click();

    await page.waitForURL(/q=orders\+status%3Asucceeded\+since%3Aever/);
  });

  it('reports words without a meaning', async () => {
    const page = await open('runs?q=orders colour:red');

    await page.getByText('colour:red means nothing here.').waitFor();
  });
});

it('finds DAGs by text and labels, which are counted, statement 19', async () => {
  const page = await open('dags');
  const dags = page.getByRole('grid', { name: 'DAGs' });
  const labels = page.getByRole('group', { name: 'Labels' });
  await labels.getByRole('button', { name: 'etl 2' }).click();
  await dags.getByRole('row', { name: /stock/ }).waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('label:etl pri');
  await dags.getByRole('row', { name: /orders/ }).waitFor({ state: 'detached' });

  await dags.getByRole('row', { name: /prices/ }).waitFor();
  await labels.getByRole('button', { name: 'etl 2', pressed: true }).click();
  await page.waitForURL(/q=pri$/);
});

it('finds DAGs by their group, of which one is chosen at a time, statement 19', async () => {
  const page = await open('dags');
  const dags = page.getByRole('grid', { name: 'DAGs' });
  const groups = page.getByRole('group', { name: 'Groups' });
  await groups.getByRole('button', { name: 'shop 2' }).click();
  await dags.getByRole('row', { name: /stock/ }).waitFor({ state: 'detached' });
  await groups.getByRole('button', { name: 'no group 1' }).click();
  await dags.getByRole('row', { name: /orders/ }).waitFor({ state: 'detached' });

  await dags.getByRole('row', { name: /stock/ }).waitFor();
  await page.waitForURL(/q=group%3A%22%22$/);
  await groups.getByRole('button', { name: 'no group 1', pressed: true }).click();
  await dags.getByRole('row', { name: /orders/ }).waitFor();
});

it('finds DAGs by the status of their last run and by suspended schedules, statement 19', async () => {
  const page = await open('dags?q=status:failed');
  const dags = page.getByRole('grid', { name: 'DAGs' });
  await dags.getByRole('row', { name: /orders/ }).waitFor();
  await page.getByText('2 DAGs').waitFor();
  await page.getByRole('searchbox').fill('status:failed suspended');
  await page.getByRole('heading', { name: 'No DAG matches' }).waitFor();
  await page.getByRole('searchbox').fill('-status:failed -suspended');

  await dags.getByRole('row', { name: /stock/ }).waitFor();
  await page.getByText('1 DAG', { exact: true }).waitFor();
});

it('shows the last runs of each DAG, how long it usually takes, and the failed step of each run', async () => {
  const page = await open('dags');
  const orders = page.getByRole('row', { name: /^orders/ });
  await page
    .getByRole('row', { name: /^stock/ })
    .getByTitle('Median of the last runs that succeeded')
    .waitFor();
  await orders.getByRole('list', { name: 'Last runs of orders, the oldest first' }).getByRole('link').click();
  await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/dag-runs\/orders\/orders-1$/);
  await page.goto(`${pages.server().url}runs`);
  const step = page
    .getByRole('row', { name: /prices/ })
    .getByRole('link')
    .nth(1);
  const name = (await step.innerText()).trim();
  await step.click();

  await page.getByRole('heading', { name, exact: true }).waitFor();
});

describe('many at once, statement 21', () => {
  it('shows what is possible for each run in advance, and then its result', async () => {
    await startAndWait(pages.server(), 'orders', 'failed', { dagRunId: 'orders-2' });
    const page = await open('runs?q=label:etl');
    await page.getByRole('grid', { name: 'Runs' }).getByRole('checkbox').first().check({ force: true });
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByText('All that match are selected').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop runs' });
    await dialog.getByText('None can be changed, 3 cannot.').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'orders-1' }).filter({ hasText: 'refused' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete runs with their logs and artifacts' });
    await deletion.getByText('3 can be changed.').waitFor();
    await deletion.getByRole('button', { name: 'Delete 3 runs' }).click();

    await deletion.getByText('3 done.').waitFor();
    await deletion.getByRole('listitem').filter({ hasText: 'prices-1' }).filter({ hasText: 'done' }).waitFor();
    await expect(idsOf('orders')).resolves.toEqual([]);
    await expect(idsOf('stock')).resolves.toEqual(['stock-1']);
  });

  it('changes the labels of the selected DAGs only', async () => {
    const page = await open('dags');
    const dags = page.getByRole('grid', { name: 'DAGs' });
    await dags
      .getByRole('row', { name: /prices/ })
      .getByRole('checkbox')
      .check({ force: true });
    await page.getByText('1 selected').waitFor();
    await page.getByRole('button', { name: 'Label', exact: true }).click();
    await page.getByLabel('Labels to add').fill('nightly');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Change the labels of 1 DAG' }).click();
    await page.getByText('1 done.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('group', { name: 'Labels' }).getByRole('button', { name: 'nightly 1' }).waitFor();
    await dags
      .getByRole('row', { name: /prices/ })
      .getByRole('link', { name: 'nightly' })
      .waitFor();
  });
});

it('shows a DAG and a run beside their lists', async () => {
  await startAndWait(pages.server(), 'prices', 'failed', { dagRunId: 'prices-2' });
  const page = await open('runs');
  await page
    .getByRole('row', { name: /prices/ })
    .getByText('ada')
    .click();
  const run = page.getByRole('complementary', { name: 'Run prices' });
  await run.getByText('prices-2').waitFor();
  await page.keyboard.press('Escape');
  await run.waitFor({ state: 'detached' });
  await page.goto(`${pages.server().url}dags?peek=prices`);
  const dag = page.getByRole('complementary', { name: 'prices' });

  await dag.getByRole('link', { name: 'Open the DAG' }).waitFor();
  await dag.getByText('Failed').first().waitFor();
});

let starts = 1;

it('does not move rows that are read, and shows the number of new rows', async () => {
  const page = await open('runs');
  const runs = page.getByRole('grid', { name: 'Runs' });
  await runs.getByRole('row', { name: /stock/ }).getByRole('checkbox').check({ force: true });
  const before = await runs.getByRole('row').count();
  const dagRunId = `stock-${(starts += 1)}`;
  await pages.server().call('POST', '/dags/stock/start', { dagRunId });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await expect(runs.getByRole('row').count()).resolves.toBe(before);
  await page.getByRole('button', { name: '1 new' }).click();

  await runs.getByText(dagRunId).waitFor();
});

it('saves a view under a name, shows it again, shares and deletes it, statement 56', async () => {
  const opened = await pages.openAsAdmin({
    path: 'runs?q=status:failed',
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  const { page } = opened;
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByLabel('Name').fill('What failed');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The view “What failed” was saved in this browser.').waitFor();
  await page.goto(`${pages.server().url}runs`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'What failed' }).click();
  await page.waitForURL(/runs\?q=status%3Afailed/);
  await page.getByRole('button', { name: 'What failed' }).click();
  await page.getByRole('menuitem', { name: 'Copy a link to this view' }).click();
  await page.getByText('The link was copied.').waitFor();
  await expect(page.evaluate(() => navigator.clipboard.readText())).resolves.toBe(page.url());
  await page.getByRole('button', { name: 'What failed' }).click();
  await page.getByRole('menuitem', { name: /Delete the view/ }).click();

  await page.getByRole('button', { name: 'Views' }).waitFor();
});
