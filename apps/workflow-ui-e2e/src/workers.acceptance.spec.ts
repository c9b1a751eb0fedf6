import { endless } from './support/run-specs';
import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

/** Two workers of other machines, of which one executes a run. */
const workers = () => [
  {
    id: 'gpu-1',
    labels: { gpu: 'a100', zone: 'north' },
    totalPollers: 4,
    busyPollers: 2,
    runningTasks: [
      { dagRunId: 'run-7', dagName: 'train', startedAt: new Date().toISOString() },
      {
        dagRunId: 'shard-2',
        dagName: 'shard',
        startedAt: new Date().toISOString(),
        rootDagRunName: 'train',
        rootDagRunId: 'run-7',
      },
    ],
    lastHeartbeatAt: new Date().toISOString(),
    healthStatus: 'healthy',
  },
  {
    id: 'cpu-1',
    labels: {},
    totalPollers: 2,
    busyPollers: 0,
    runningTasks: [],
    lastHeartbeatAt: '2026-01-01T00:00:00Z',
    healthStatus: 'unhealthy',
  },
];

const pages = usePages({ WEIR_SKIP_EXAMPLES: 'true' });

beforeAll(() => pages.server().setUp());

it('shows the workers with labels, load, health and their runs, statement 37', async () => {
  const { page, complaints } = await pages.openAsAdmin();
  await page.route('**/api/v1/workers*', (route) => route.fulfill({ json: { workers: workers(), errors: [] } }));
  await page.goto(`${pages.server().url}workers`);
  const busy = page.getByRole('row', { name: 'gpu-1' });
  await busy.getByText('gpu=a100').waitFor();
  await busy.getByText('zone=north').waitFor();
  await busy.getByText('healthy', { exact: true }).waitFor();
  await expect(busy.getByRole('meter').getAttribute('aria-valuetext')).resolves.toContain('2 of 4');
  await expect(busy.getByRole('link', { name: /train/ }).getAttribute('href')).resolves.toContain(
    'dag-runs/train/run-7',
  );
  await expect(busy.getByRole('link', { name: /^shard/ }).getAttribute('href')).resolves.toContain(
    'dag-runs/train/run-7?sub=shard-2',
  );
  const idle = page.getByRole('row', { name: 'cpu-1' });
  await idle.getByText('lost', { exact: true }).waitFor();
  await expect(idle.getByRole('link').count()).resolves.toBe(0);

  await busy.getByRole('link', { name: /^train/ }).click();
  await page.waitForURL(/dag-runs\/train\/run-7$/);
  await page.getByRole('link', { name: 'Runs', exact: true }).and(page.locator('[aria-current="page"]')).waitFor();
  expect(complaints).toEqual([]);
});

it('shows the worker of the server itself with its slots and its runs, statement 37', async () => {
  await pages.server().call('POST', '/dags', { name: 'endless', spec: endless });
  await startAndWait(pages.server(), 'endless', 'running', { dagRunId: 'endless-1' });
  const { page, complaints } = await pages.openAsAdmin({ path: 'workers' });
  const row = page.getByRole('grid', { name: 'Workers' }).getByRole('row').nth(1);
  await row.getByText('healthy', { exact: true }).waitFor();
  await expect(row.getByRole('meter').getAttribute('aria-valuetext')).resolves.toBe('1 of 50');
  await row.getByRole('link', { name: /^endless/ }).click();

  await page.waitForURL(/dag-runs\/endless\/endless-1$/);
  expect(complaints).toEqual([]);
});

it('creates a worker token, shows it once with the command that starts a worker, and revokes it', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'workers' });
  const panel = page.getByRole('region', { name: 'Worker tokens' });
  await panel.getByText('There is no token yet.').waitFor();
  await panel.getByRole('button', { name: 'Add a worker token' }).click();
  const dialog = page.getByRole('dialog');
  const submit = dialog.getByRole('button', { name: 'Add a worker token' });
  await dialog.getByLabel('Name').fill('GPU');
  await dialog.getByLabel('Labels').fill('gpu');
  await submit.click();
  await dialog.getByText('“gpu” is no label such as gpu=a100.').waitFor();
  await dialog.getByLabel('Labels').fill('gpu=a100, zone=north');
  await submit.click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Name').fill('gpu-1');
  await submit.click();

  const token = await page.getByRole('region', { name: 'Token', exact: true }).innerText();
  const command = await page.getByRole('region', { name: 'Command', exact: true }).innerText();
  const address = pages.server().url.replace(/\/$/, '');
  expect(command).toBe(`WEIR_SERVER_URL=${address} \\\nWEIR_WORKER_TOKEN=${token} \\\nweir worker`);
  await page.getByRole('button', { name: 'Copy: Command' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await panel
    .getByRole('row', { name: 'gpu-1' })
    .filter({ hasText: /gpu=a100zone=north.*ada.*never/ })
    .waitFor();
  await expect(page.getByText(token).count()).resolves.toBe(0);

  await panel.getByRole('button', { name: 'Revoke gpu-1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The worker token gpu-1 was revoked.').waitFor();
  await panel.getByText('There is no token yet.').waitFor();
  expect(complaints).toEqual([]);
});

it('shows no worker tokens to those who may not manage them, and why they do not come', async () => {
  const password = 'a rather long sentence';
  await pages.server().call('POST', '/users', { username: 'lin', password, role: 'manager' });
  const { page } = await pages.open();
  const data = { username: 'lin', password, session: true };
  await page.request.post(`${pages.server().url}api/v1/auth/login`, { data });
  await page.goto(`${pages.server().url}workers`);
  await page.getByRole('grid', { name: 'Workers' }).getByRole('row').nth(1).waitFor();
  await expect(page.getByText('Worker tokens').count()).resolves.toBe(0);

  const asAdmin = await pages.openAsAdmin();
  const body = { error: 'invalid_request', code: 'bad_request', message: 'The disk is gone.', requestId: 'r-1' };
  await asAdmin.page.route('**/api/v1/worker-tokens', (route) => route.fulfill({ status: 400, json: body }));
  await asAdmin.page.goto(`${pages.server().url}workers`);
  await asAdmin.page.getByRole('region', { name: 'Worker tokens' }).getByText('The disk is gone.').waitFor();
  await asAdmin.page.getByRole('grid', { name: 'Workers' }).waitFor();
});
