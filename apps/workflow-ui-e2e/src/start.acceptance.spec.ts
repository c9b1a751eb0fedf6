import { writeFile } from 'node:fs/promises';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import { failing, mended, task } from './support/run-specs';
import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();
const create = (name: string, spec: string) => pages.server().call('POST', '/dags', { name, spec });

const plain = 'steps:\n  - { id: greet, run: echo hello }\n';

const typed = `params:
  - { name: REGION, enum: [eu, us], default: eu }
  - { name: BATCH, type: integer, minimum: 1, maximum: 100, default: 50 }
  - { name: DAY, required: true, description: The day to load }
  - { name: DRY_RUN, type: boolean, default: false }
steps:
  - id: load
    run: echo "$REGION $BATCH $DAY $DRY_RUN"
`;

beforeAll(async () => {
  await pages.server().setUp();
  await Promise.all([
    create('typed', typed),
    create('plain', plain),
    create('orders', failing),
    create('survey', task),
  ]);
});

interface RunSummary {
  readonly dagRunId: string;
  readonly statusLabel: string;
  readonly params?: string;
}

async function latestOf(name: string): Promise<RunSummary> {
  const answer = await pages.server().call('GET', `/dag-runs/${name}/latest`);
  return ((await answer.json()) as { dagRunDetails: RunSummary }).dagRunDetails;
}

it('starts a DAG without parameters at once, and offers to stop it, statement 5', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dags' });
  await page.getByRole('button', { name: 'Start plain', exact: true }).click();

  await page.getByText('A run of plain was started.').waitFor();
  await page.getByRole('button', { name: 'Stop it' }).waitFor();
});

it('shows what a DAG fixes for its starts, and asks for nothing of it', async () => {
  const settings = 'run_config: { disable_param_edit: true, disable_run_id_edit: true }\nparams: { REGION: eu }\n';
  await create('fixed', `${settings}steps:\n  - { id: show, run: echo "$REGION" }\n`);
  const { page, complaints } = await pages.openAsAdmin({ path: 'dags' });
  await page.getByRole('button', { name: 'Start fixed with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start fixed' });
  await dialog.getByText('This DAG is started with these values.').waitFor();
  await dialog.getByText('eu', { exact: true }).waitFor();
  await expect(dialog.getByLabel('REGION').count()).resolves.toBe(0);
  await expect(dialog.getByLabel('Run id').count()).resolves.toBe(0);

  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('log').getByText('eu').waitFor();
  expect(complaints).toEqual([]);
});

it('leads from the start on the page of a DAG, and from the message in a list, to the output of each step that runs', async () => {
  const gate = temporaryFolder();
  const wait = (name: string) => `until test -e ${gate.file(name)}; do sleep 0.05; done`;
  await create(
    'gated',
    `type: chain\nsteps:\n  - {id: one, run: "echo first; ${wait('one')}"}\n  - {id: two, run: "echo second; ${wait('two')}"}\n  - {id: three, run: echo third}\n`,
  );
  const { page, complaints } = await pages.openAsAdmin({ path: 'dags/gated' });
  const log = page.getByRole('log');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await page.keyboard.press('s');
  await log.getByText('first').waitFor();
  await page.getByRole('button', { name: 'Stop it' }).waitFor();
  await page.goto(`${pages.server().url}runs?q=gated`);
  const row = page.getByRole('row', { name: /gated/ });
  await row.getByRole('link', { name: 'one', exact: true }).waitFor();
  await page.goBack();
  await log.getByText('first').waitFor();
  await writeFile(gate.file('one'), '');
  await log.getByText('second').waitFor();
  await page.getByRole('button', { name: 'two', exact: false }).first().click();
  await page.getByRole('option', { name: 'one' }).click();
  await page.waitForURL(/step=one/);
  expect(page.url()).not.toContain('follow');
  await writeFile(gate.file('two'), '');
  await waitFor(async () => (await latestOf('gated')).statusLabel === 'succeeded', { what: 'the run to end' });
  await log.getByText('first').waitFor();

  await page.goto(`${pages.server().url}dags`);
  await page.getByRole('button', { name: 'Start gated', exact: true }).click();
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await log.getByText('third').waitFor();
  expect(complaints).toEqual([]);
  await gate.remove();
});

it('starts a DAG with typed inputs from a form that refuses wrong values, statement 5', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'dags' });
  await page.getByRole('button', { name: 'Start typed with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start typed' });
  await dialog.getByLabel('BATCH').fill('0');
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await dialog.getByText('A value is needed.').waitFor();
  await dialog.getByText('This must be at least 1.').waitFor();
  expect((await pages.server().call('GET', '/dag-runs/typed/latest')).status).toBe(404);

  await dialog.getByLabel('BATCH').fill('7');
  await dialog.getByLabel('DAY').fill('2026-05-01');
  await dialog.getByText('DRY_RUN').click();
  await dialog.getByText('The same from a terminal').click();
  await dialog.getByText(`weir enqueue typed --params '{"DAY":"2026-05-01","BATCH":7,"DRY_RUN":true}'`).waitFor();
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();

  await page.getByRole('log').getByText('eu 7 2026-05-01 true').waitFor();
  for (const list of ['runs', '']) {
    await page.goto(`${pages.server().url}${list}`);
    await page.getByRole('row', { name: /typed/ }).getByText('BATCH=7').first().waitFor();
  }
  await page.goto(`${pages.server().url}dags`);
  await page.getByRole('button', { name: 'Start typed with…' }).click();
  await dialog.getByRole('button', { name: /Begin with/ }).click();
  await page.getByRole('option', { name: /2026-05-01/ }).click();
  await expect(dialog.getByRole('textbox', { name: 'DAY' }).inputValue()).resolves.toBe('2026-05-01');
  expect(complaints).toEqual([]);
});

it('retries a failed run, after a preview of executed and reused steps, statement 12', async () => {
  await startAndWait(pages.server(), 'orders', 'failed');
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/orders/latest' });
  await page.getByRole('button', { name: 'Run again…' }).click();
  const plan = page.getByRole('region', { name: 'What becomes of the steps' });
  await plan.getByRole('heading', { name: '2 steps are executed' }).waitFor();
  await plan.getByRole('heading', { name: '1 step is reused' }).waitFor();
  await page.getByText('From a step, with all after it').click();
  await plan.getByRole('heading', { name: '3 steps are executed' }).waitFor();
  await page.getByText('Only one step').click();
  await plan.getByRole('heading', { name: '1 step is executed' }).waitFor();
  const before = await latestOf('orders');
  await page.getByRole('button', { name: 'Retry this run' }).click();

  await page.getByText('The run is queued again.').waitFor();
  await waitFor(async () => (await latestOf('orders')).statusLabel === 'failed', {
    deadlineMs: 20_000,
    what: 'the retry to end',
  });
  expect((await latestOf('orders')).dagRunId).toBe(before.dagRunId);
});

it('retries a failed run with an edited spec after a preview, statement 13', async () => {
  await startAndWait(pages.server(), 'orders', 'failed');
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/orders/latest' });
  const before = await latestOf('orders');
  await page.getByRole('button', { name: 'Run again…' }).click();
  await page.getByText('Edited for this run').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Spec', exact: true }).fill('steps: [');
  await dialog.locator('[data-invalid]').first().waitFor();
  await dialog.getByRole('textbox', { name: 'Spec', exact: true }).fill(mended);
  const plan = page.getByRole('region', { name: 'What becomes of the steps' });
  await plan.getByRole('heading', { name: '2 steps cannot be reused' }).waitFor();
  await plan.getByRole('heading', { name: '1 step is reused' }).waitFor();
  await dialog.getByRole('button', { name: 'Start a new run' }).click();

  await page.getByText('A new run was started.').waitFor();
  await page.getByText('Succeeded').filter({ visible: true }).first().waitFor({ timeout: 20_000 });
  expect((await latestOf('orders')).dagRunId).not.toBe(before.dagRunId);
});

it('executes one step of an edited spec in a new run, with the outputs of the run', async () => {
  await startAndWait(pages.server(), 'orders', 'failed');
  const before = await latestOf('orders');
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/orders/latest' });
  await page.getByRole('button', { name: 'Run again…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Only one step').click();
  await dialog.getByText('Edited for this run').click();
  const text = dialog.getByRole('textbox', { name: 'Spec', exact: true });
  await text.fill(failing.replace('echo loaded', 'echo "loaded ${steps.fetch.output.rows}"'));
  await dialog.getByRole('button', { name: /fetch.*Step|Step.*fetch/ }).click();
  await page.getByRole('option', { name: 'load' }).click();
  await dialog.getByRole('button', { name: 'Start a new run' }).click();

  await page.getByText('A new run was started.').waitFor();
  await waitFor(async () => (await latestOf('orders')).statusLabel === 'succeeded', { what: 'the new run to end' });
  expect((await latestOf('orders')).dagRunId).not.toBe(before.dagRunId);
  await page.getByRole('region', { name: 'End of the log of load' }).getByText('loaded 412 orders').waitFor();
});

it('executes a skipped step without its preconditions, once a reason is given', async () => {
  await create('held', 'steps:\n  - { id: load, run: echo loaded, preconditions: ["test -e /nowhere"] }\n');
  await startAndWait(pages.server(), 'held', 'succeeded');
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/held/latest?step=load' });
  await page.getByRole('button', { name: 'Execute it without its preconditions…' }).click();
  await page.getByLabel('Why').fill('the file came by mail');
  await page.getByRole('button', { name: 'Execute', exact: true }).click();

  await page.getByText('had it executed without its preconditions: the file came by mail').waitFor();
  await page.getByRole('region', { name: 'End of the log of load' }).getByText('loaded').waitFor();
});

it('fills in the form of a human task on the page of its run, with defaults and validation, statement 24', async () => {
  await startAndWait(pages.server(), 'survey', 'waiting');
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/survey/latest' });
  await page.getByText('How many customers come first?').waitFor();
  await expect(page.getByLabel('Percentage').inputValue()).resolves.toBe('10');
  await page.getByLabel('Percentage').fill('400');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('This must be at most 100.').waitFor();
  await page.getByText('A value is needed.').waitFor();
  await page.getByLabel('Percentage').fill('40');
  await page.getByLabel('Reason').fill('a try');
  await page.getByRole('button', { name: 'Submit' }).click();

  await page.getByText('Answered by ada').waitFor();
  await page.getByText('Succeeded').filter({ visible: true }).first().waitFor();
});
