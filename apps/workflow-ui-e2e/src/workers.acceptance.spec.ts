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
