import { startModelServer } from '@weir/test-kit';
import { rich } from './support/run-specs';
import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();

const held = 'max_active_runs: 1\nparams: DAY=monday\nsteps:\n  - { id: hold, run: sleep 600 }\n';

beforeAll(async () => {
  const { call, setUp } = pages.server();
  await setUp();
  await call('POST', '/dags', { name: 'rich', spec: rich });
  await startAndWait(pages.server(), 'rich', 'succeeded');
  await call('POST', '/dags', { name: 'held', spec: held });
  await startAndWait(pages.server(), 'held', 'running', { dagRunId: 'first', params: '{"DAY":"friday"}' });
  await call('POST', '/dags/held/enqueue', { dagRunId: 'second' });
});

it('shows in the list of runs what started a run, its parameters, and how long it waits', async () => {
  const { page } = await pages.openAsAdmin({ path: 'runs?q=held' });
  await page.getByRole('columnheader', { name: 'Trigger' }).waitFor();

  await page.getByRole('row', { name: 'held' }).filter({ hasText: 'Manual ada' }).first().waitFor();
  await page.getByRole('row', { name: 'held' }).filter({ hasText: 'DAY=friday' }).waitFor();
  const place = (await page.getByRole('columnheader').allInnerTexts()).indexOf('Wait');
  const waiting = page.getByRole('row', { name: 'held' }).filter({ hasText: 'Queued' });
  await expect(
    waiting.getByRole('gridcell').or(waiting.getByRole('rowheader')).nth(place).innerText(),
  ).resolves.toMatch(/\d/);
  await page.setViewportSize({ width: 1024, height: 800 });
  await page.getByRole('columnheader', { name: 'Parameters' }).waitFor({ state: 'hidden' });
});

it('begins the inputs of a run with the given ones, and folds those that every run sets', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/held/first?tab=inputs' });
  await page.getByRole('row', { name: 'DAY' }).waitFor();

  const ofRun = page.getByRole('row', { name: 'DAG_RUN_ID', exact: true });
  await expect(ofRun.isVisible()).resolves.toBe(false);
  await page.getByText(/\d+ variables that every run sets/).click();
  await ofRun.waitFor();
});

it('lists the items of a parallel step with their states, and folds the JSON that it printed', async () => {
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/rich/latest?step=regions' });
  await page.getByRole('heading', { name: '2 items' }).waitFor();

  await page.getByText('2 succeeded').waitFor();
  const items = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'region' }) });
  // Runs that were started at once are in no order.
  const texts = (await items.allInnerTexts()).map((text) => text.replace(/^[12]\s+/, ''));
  expect(texts.toSorted()).toEqual([
    expect.stringMatching(/^region\s+name=eu\s+Succeeded/),
    expect.stringMatching(/^region\s+name=us\s+Succeeded/),
  ]);
  const log = page.getByRole('region', { name: 'End of the log of regions' });
  await expect(log.isVisible()).resolves.toBe(false);
  await page.getByText('End of the log').click();
  await log.getByText('"summary"').waitFor();
});

it('shows with a step and beside the outputs of its run the models that were asked, with their tokens and cost', async () => {
  const { call } = pages.server();
  const model = await startModelServer();
  try {
    model.script({ text: 'Four.', promptTokens: 12_345, completionTokens: 678, cachedTokens: 400 });
    const access = { provider: 'local', model: 'small' };
    const priced = { name: 'Small', ...access, baseUrl: model.baseUrl, inputCostPer1M: 2, outputCostPer1M: 5 };
    await call('POST', '/settings/agent/models', priced);
    const settings = JSON.stringify({ ...access, base_url: model.baseUrl, prompt: 'Why' });
    const spec = `steps:\n  - name: ask\n    action: chat.completion\n    with: ${settings}\n`;
    await call('POST', '/dags', { name: 'asking', spec });
    await startAndWait(pages.server(), 'asking', 'succeeded');
  } finally {
    await model.stop();
  }
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/asking/latest?step=ask' });

  const row = page.getByRole('row', { name: 'small' });
  const texts = ['small', 'local', '12,345', '400', '678', '0.02808'];
  await row.waitFor();
  expect((await row.innerText()).split(/\s+/)).toEqual(texts);
  await expect(row.evaluate((element) => element.getBoundingClientRect().right <= innerWidth)).resolves.toBe(true);
  await page.getByRole('tab', { name: 'Outputs' }).click();
  await page.getByText('Four.').waitFor();
  expect((await row.innerText()).split(/\s+/)).toEqual(texts);
});

it('shows the tasks of an agent and what its model has decided', async () => {
  const { call } = pages.server();
  const model = await startModelServer();
  try {
    const settle = { task: 'report', status: 'completed', reason: 'all is seen' };
    model.script(
      { text: 'I look first.', calls: [{ name: 'look', arguments: {} }] },
      { calls: [{ name: 'look', arguments: {} }] },
      { calls: [{ name: 'other', arguments: {} }] },
      { calls: [{ name: 'set_task_status', arguments: settle }] },
    );
    const llm = JSON.stringify({ provider: 'local', model: 'small', base_url: model.baseUrl });
    const tasks = 'tasks: [{ name: report, description: The report is there. }]';
    const spec = `type: agent\nllm: ${llm}\n${tasks}\nsteps:\n  - { name: look, run: echo seen }\n`;
    await call('POST', '/dags', { name: 'deciding', spec });
    await startAndWait(pages.server(), 'deciding', 'succeeded');
  } finally {
    await model.stop();
  }
  const { page } = await pages.openAsAdmin({ path: 'dag-runs/deciding/latest?step=__agent__' });

  const textsOf = async (name: string) => {
    const list = page.getByRole('list', { name });
    await list.waitFor();
    const items = await list.getByRole('listitem').allInnerTexts();
    return items.map((text) => text.trim().split(/\s*\n\s*/));
  };
  await expect(textsOf('Tasks')).resolves.toEqual([['report', 'completed', 'all is seen']]);
  await expect(textsOf('Decisions')).resolves.toEqual([
    ['Run look', expect.any(String), 'I look first.'],
    ['Run look, time 2', expect.any(String)],
    ['Refused: There is no tool other.'],
    ['Set report to completed'],
  ]);
});
